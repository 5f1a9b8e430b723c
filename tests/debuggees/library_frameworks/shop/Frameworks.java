// SPDX-License-Identifier: Apache-2.0
package shop;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.logging.Level;
import java.util.logging.Logger;
import kotlin.collections.ArrayDeque;
import kotlin.collections.CollectionsKt;
import kotlin.collections.MapsKt;
import org.aopalliance.intercept.MethodInterceptor;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.data.jpa.repository.support.JpaRepositoryFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Proxies and lazy objects of frameworks, before and after they are loaded. */
public class Frameworks {
    public static void main(String[] args) {
        Logger.getLogger("").setLevel(Level.SEVERE);
        System.setProperty("net.bytebuddy.experimental", "true");
        System.setProperty("io.netty.leakDetection.level", "disabled"); // it wraps one buffer of 128
        spring();
        others();
        kotlins();
        try (SessionFactory factory = configured()) {
            long id = saved(factory);
            try (Session session = factory.openSession()) {
                lazy(session, id);
            }
        }
    }

    static SessionFactory configured() {
        return new Configuration()
                .addAnnotatedClass(Author.class)
                .addAnnotatedClass(Book.class)
                .setProperty("hibernate.connection.url", "jdbc:h2:mem:shop")
                .setProperty("hibernate.hbm2ddl.auto", "create")
                .buildSessionFactory();
    }

    static long saved(SessionFactory factory) {
        return factory.fromTransaction(session -> {
            Author mentor = new Author();
            mentor.name = "bob";
            session.persist(mentor);
            Author author = new Author();
            author.name = "ann";
            author.mentor = mentor;
            author.tags.add("new");
            author.links.put("home", "example");
            Book book = new Book();
            book.title = "one";
            author.books.add(book);
            session.persist(author);
            return author.id;
        });
    }

    static void lazy(Session session, long id) {
        Author author = session.get(Author.class, id);
        Author mentor = author.mentor;
        AuthorRepository repository = new JpaRepositoryFactory(session).getRepository(AuthorRepository.class);
        long before = session.getSessionFactory().getStatistics().getQueryExecutionCount();
        System.out.println("not loaded " + before); // @lazy
        System.out.println(mentor.getName() + author.books + author.tags + author.links);
        System.out.println(repository.count()); // @loaded
    }

    static void spring() {
        ProxyFactory factory = new ProxyFactory(new Greeter());
        factory.setProxyTargetClass(true);
        factory.addAdvice((MethodInterceptor) call -> call.proceed());
        Greeter greeter = (Greeter) factory.getProxy();
        ProxyFactory byInterface = new ProxyFactory("text");
        byInterface.addAdvice((MethodInterceptor) call -> call.proceed());
        Object sequence = byInterface.getProxy();
        System.out.println(greeter.greet("you") + sequence); // @spring
    }

    static void others() {
        ByteBuf heap = Unpooled.copiedBuffer("hello", StandardCharsets.UTF_8);
        heap.readByte();
        ByteBuf pooled = PooledByteBufAllocator.DEFAULT.heapBuffer(64).writeBytes(new byte[] {1, 2, 3});
        ByteBuf direct = Unpooled.directBuffer(8).writeByte(7);
        Mono<String> just = Mono.just("a");
        Mono<Integer> chain = just.filter(each -> true).map(String::length);
        Flux<Integer> range = Flux.range(1, 3).map(each -> each + 1);
        Sinks.One<String> one = Sinks.one();
        Sinks.One<String> done = Sinks.one();
        done.tryEmitValue("a");
        System.out.println(heap + " " + pooled + direct + chain + range + one + done); // @others
    }

    static void kotlins() {
        ArrayDeque<String> deque = new ArrayDeque<>(4);
        deque.addLast("a");
        deque.addLast("b");
        deque.addFirst("z");
        java.util.List<String> built = CollectionsKt.createListBuilder();
        built.add("a");
        java.util.Map<String, Integer> mapped = MapsKt.createMapBuilder();
        mapped.put("a", 1);
        mapped.put("b", 2);
        mapped.remove("a");
        java.util.List<String> none = CollectionsKt.emptyList();
        System.out.println(deque + " " + built + mapped + none); // @kotlins
    }
}
