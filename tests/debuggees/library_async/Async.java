// SPDX-License-Identifier: Apache-2.0
import io.netty.channel.DefaultEventLoop;
import io.reactivex.rxjava3.core.Flowable;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Has libraries run tasks; each task comes to reached(). */
public class Async {
  public static void main(String[] args) throws Exception {
    reactor();
    rxJava();
    netty();
    spring();
    System.exit(0);
  }

  static void reached() {
    Thread.yield(); // @reached
  }

  static void reactor() {
    Mono.fromRunnable(Async::reached)
        .subscribeOn(Schedulers.boundedElastic())
        .block(); // @reactor
    Flux.range(0, 1)
        .publishOn(Schedulers.parallel())
        .doOnNext(each -> reached())
        .blockLast(); // @published
  }

  static void rxJava() {
    Flowable.range(0, 1)
        .subscribeOn(io.reactivex.rxjava3.schedulers.Schedulers.io())
        .observeOn(io.reactivex.rxjava3.schedulers.Schedulers.computation())
        .doOnNext(each -> reached())
        .blockingSubscribe(); // @rxjava
  }

  static void netty() throws Exception {
    DefaultEventLoop loop = new DefaultEventLoop();
    loop.submit(Async::reached) // @netty
        .get();
    loop.shutdownGracefully();
  }

  static void spring() throws Exception {
    try (var context = new AnnotationConfigApplicationContext(Beans.class)) {
      Mail mail = context.getBean(Mail.class);
      mail.send().get(); // @spring
    }
  }

  @Configuration
  @EnableAsync
  public static class Beans {
    @Bean
    public Mail mail() {
      return new Mail();
    }

    @Bean
    public ThreadPoolTaskExecutor taskExecutor() {
      return new ThreadPoolTaskExecutor();
    }
  }

  public static class Mail {
    @org.springframework.scheduling.annotation.Async
    public java.util.concurrent.CompletableFuture<Integer> send() {
      reached();
      return java.util.concurrent.CompletableFuture.completedFuture(1);
    }
  }
}
