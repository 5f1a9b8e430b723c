// SPDX-License-Identifier: Apache-2.0
//
// The contents of the fake VM. The actions of its threads are in world_actions.cpp.
#include "tests/fake_vm/world.h"

#include <algorithm>

namespace jvmdebug::fake {
namespace {

constexpr jlocation kLastIndex = 9;
constexpr jint kLocals = 12;
constexpr std::string_view kPrimitives = "ZBCSIJFD";

}  // namespace

World::World(Vm& vm) : vm_(vm) {
  make_classes();
  make_threads();
  reset();
}

Method& World::method(std::string_view in, std::string_view name) const {
  const auto& methods = type(in).methods;
  const auto found = std::ranges::find(methods, name, &Method::name);
  if (found == methods.end()) {
    refuse("World::method", name);
  }
  return **found;
}

Method& World::code(Class& in, std::string name, std::string descriptor, jint modifiers) {
  Method& made = vm_.add_method(in, std::move(name), std::move(descriptor), modifiers);
  if (made.is_native()) {
    return made;
  }
  made.last = kLastIndex;
  made.max_locals = kLocals;
  made.lines = {{0, 10}, {3, 11}, {6, 12}};
  made.locals = {{{"flag", "Z", 1},
                  {"count", "I", 2},
                  {"total", "J", 3},
                  {"rate", "F", 5},
                  {"price", "D", 6},
                  {"name", "Ljava/lang/String;", 8},
                  {"item", "Lshop/Item;", 9},
                  {"numbers", "[I", 10},
                  {"letter", "C", 11}}};
  if (!made.is_static()) {
    made.locals->push_back({"this", in.signature, 0});
  }
  return made;
}

// --- classes -----------------------------------------------------------------------------------

void World::make_known_classes() {
  Class& object = vm_.add_class("Ljava/lang/Object;", nullptr);
  code(object, "hashCode", "()I");
  const auto add = [&](const char* signature, Class* superclass = nullptr) -> Class& {
    return vm_.add_class(signature, superclass == nullptr ? &object : superclass);
  };
  vm_.add_field(add("Ljava/lang/Class;"), "componentType", "Ljava/lang/Class;");
  add("Ljava/lang/String;");
  code(add("Ljava/lang/Thread;"), "<init>", "(Ljava/lang/String;)V");
  code(type("Ljava/lang/Thread;"), "run", "()V");
  vm_.add_method(type("Ljava/lang/Thread;"), "park", "()V", kNative | kStatic);
  add("Ljava/lang/ThreadGroup;");
  vm_.add_field(add("Ljava/lang/ClassLoader;"), "parent", "Ljava/lang/ClassLoader;");
  Class& module = add("Ljava/lang/Module;");
  vm_.add_field(module, "name", "Ljava/lang/String;");
  vm_.add_field(module, "loader", "Ljava/lang/ClassLoader;");
  Class& throwable = add("Ljava/lang/Throwable;");
  vm_.add_field(throwable, "message", "Ljava/lang/String;");
  add("Ljava/lang/NoSuchMethodError;", &throwable);
  add("Ljava/lang/OutOfMemoryError;", &throwable);
  code(add("Ljava/lang/System;"), "getProperty", "(Ljava/lang/String;)Ljava/lang/String;", kStatic);
}

void World::make_shop() {
  Class& object = type("Ljava/lang/Object;");
  Class& priced = vm_.add_class("Lshop/Priced;", &object);
  priced.modifiers |= kInterface;
  vm_.add_field(priced, "LIMIT", "I", kStatic | kFinal);
  code(priced, "free", "()Z", kStatic);
  code(priced, "price", "()D");

  Class& item = vm_.add_class("Lshop/Item;", &object);
  item.interfaces = {&priced};
  item.source_file = "Item.java";
  for (const char letter : kPrimitives) {
    vm_.add_field(item, std::string("field") + letter, std::string(1, letter));
    vm_.add_field(item, std::string("static") + letter, std::string(1, letter), kStatic);
    code(item, std::string("get") + letter, std::string("()") + letter);
    code(item, std::string("make") + letter, std::string("(") + letter + ")" + letter, kStatic);
  }
  vm_.add_field(item, "name", "Ljava/lang/String;");
  vm_.add_field(item, "next", "Lshop/Item;");
  vm_.add_field(item, "numbers", "[I");
  vm_.add_field(item, "first", "Lshop/Item;", kStatic);
  code(item, "<init>", "()V");
  code(item, "<init>", "(ILshop/Item;)V");
  code(item, "compare", "(Lshop/Item;Ljava/lang/String;[I)I");
  code(item, "copy", "()Lshop/Item;");
  code(item, "find", "(Ljava/lang/String;J)Lshop/Item;", kStatic);
  code(item, "fail", "()V", kStatic);
  vm_.add_method(item, "store", "()V", kNative);
  Class& part = vm_.add_class("Lshop/Item$Part;", &object);
  vm_.add_field(part, "whole", "Lshop/Item;");  // the same id as Item.fieldZ: another class
  Class& book = vm_.add_class("Lshop/Book;", &item);
  vm_.add_field(book, "pages", "I");
  code(book, "copy", "()Lshop/Item;");
  vm_.add_class("Lshop/Failure;", &type("Ljava/lang/Throwable;"));

  Class& shop = vm_.add_class("Lshop/Shop;", &object);
  shop.source_file = "Shop.java";
  shop.debug_extension = "SMAP\nShop.java\nPage\n*S Page\n*F\n1 shop.page\n*L\n5:10\n*E\n";
  code(shop, "main", "([Ljava/lang/String;)V", kStatic);
  code(shop, "serve", "(IJ)I");
  code(shop, "close", "()V", kStatic).locals.reset();
  Method& old = code(shop, "old", "()V");
  old.obsolete = true;
  old.lines.clear();
  Class& raw = vm_.add_class("Lshop/Raw;", &object);
  raw.status = 0;  // loaded, not prepared
}

void World::make_arrays() {
  Class& object = type("Ljava/lang/Object;");
  const auto add_array = [&](Class& component) {
    Class& made = vm_.add_class("[" + component.signature, &object);
    made.component = &component;
    made.status = JVMTI_CLASS_STATUS_ARRAY;
    made.loader = component.loader;
  };
  for (const char letter : kPrimitives) {
    Class& primitive = vm_.add_class(std::string(1, letter), nullptr);
    primitive.status = JVMTI_CLASS_STATUS_PRIMITIVE;
    add_array(primitive);
  }
  for (const char* component : {"Ljava/lang/Object;", "Ljava/lang/String;", "Lshop/Item;", "[I"}) {
    add_array(type(component));
  }
}

void World::make_classes() {
  make_known_classes();
  make_shop();
  make_arrays();
  Object& loader =
      vm_.add_object(vm_.add_class("Lshop/Loader;", &type("Ljava/lang/ClassLoader;")), true);
  for (Class* each : vm_.classes()) {
    each->mirror = &vm_.add_object(type("Ljava/lang/Class;"), true);
    each->mirror->mirrored = each;
    if (each->signature.contains("shop/")) {
      each->loader = &loader;
    }
  }
  for (const char* signature : {"Ljava/lang/ThreadGroup;",
                                "Ljava/lang/Module;",
                                "Ljava/lang/Module;",
                                "Lshop/Item;",
                                "Lshop/Book;",
                                "Lshop/Item$Part;",
                                "Lshop/Shop;",
                                "Lshop/Failure;",
                                "Ljava/lang/String;",
                                "[Z",
                                "[B",
                                "[C",
                                "[S",
                                "[I",
                                "[J",
                                "[F",
                                "[D",
                                "[Ljava/lang/Object;",
                                "[Lshop/Item;",
                                "[[I",
                                "Ljava/lang/Object;"}) {
    Object& made = vm_.add_object(type(signature), true);
    made.group = "shop";
    singletons_.emplace_back(made.type, &made);
    item_ = made.type == &type("Lshop/Item;") ? &made : item_;
    lock_ = &made;
  }
}

void World::make_threads() {
  const auto add = [&](const char* name, bool is_virtual = false) {
    Object& object = vm_.add_object(type("Ljava/lang/Thread;"), true);
    Thread& made = vm_.add_thread(object, name);
    made.virtual_thread = is_virtual;
    threads_.push_back(&made);
  };
  for (const char* name : {"main", "worker", "reader", "late", "gone"}) {
    add(name);
  }
  if (vm_.feature_version() >= kVirtualThreadsSince) {
    add("virtual", true);
  }
}

std::vector<Thread*> World::make_virtual_threads(std::size_t size) {
  const std::scoped_lock lock(vm_.mutex());
  std::vector<Thread*> many;
  while (many.size() < size) {
    Object& object = vm_.add_object(type("Ljava/lang/Thread;"), true);
    Thread& made = vm_.add_thread(object, "virtual worker");
    made.virtual_thread = true;
    made.life = Life::kAlive;
    made.frames = {frame(method("Ljava/lang/Thread;", "run"), 2)};
    many.push_back(&made);
  }
  return many;
}

// --- the state at the beginning ----------------------------------------------------------------

Frame World::frame(Method& in, jlocation index) const {
  Frame made{.method = &in,
             .index = index,
             .slots = std::vector<Cell>(static_cast<std::size_t>(in.max_locals)),
             .self = nullptr,
             .watched = false};
  for (const auto& [of, object] : singletons_) {
    if (!in.is_static() && Vm::is_subclass(of, in.declaring)) {
      made.self = object;
    }
  }
  if (in.is_native()) {
    return made;
  }
  constexpr std::size_t kName = 8;
  constexpr std::size_t kItem = 9;
  constexpr std::size_t kNumbers = 10;
  for (const auto& [of, object] : singletons_) {
    if (of->signature == "Ljava/lang/String;") {
      made.slots[kName].object = object;
    } else if (of->signature == "Lshop/Item;") {
      made.slots[kItem].object = object;
    } else if (of->signature == "[I") {
      made.slots[kNumbers].object = object;
    }
  }
  made.slots[0].object = made.self;
  return made;
}

void World::fill() {
  for (const auto& [of, object] : singletons_) {
    for (auto& [field, cell] : object->fields) {
      cell = {};
    }
    if (of->is_array()) {
      object->elements.assign(3, Cell{});
    }
    if (of->signature == "Ljava/lang/String;") {
      object->text = u"a \u00e4 \U0001F600";
    }
  }
  for (Class* const each : vm_.classes()) {
    for (auto& [field, cell] : each->statics) {
      cell = {};
    }
    for (auto& [field, cell] : each->mirror->fields) {
      cell.object = each->component == nullptr ? nullptr : each->component->mirror;
    }
  }
  for (auto& [field, cell] : item_->fields) {
    if (field->name == "next") {
      cell.object = item_;
    }
  }
}

void World::reset() {
  const std::scoped_lock lock(vm_.mutex());
  fill();
  for (Thread* const thread : threads_) {
    thread->life = Life::kAlive;
    thread->interrupted = thread->pop_wanted = thread->return_wanted = false;
    thread->monitors.clear();
    thread->contended = nullptr;
    Method& run = method("Ljava/lang/Thread;", "run");
    thread->frames = {frame(method("Lshop/Shop;", "serve"), 4), frame(run, 2)};
  }
  main().frames = {frame(method("Lshop/Item;", "compare"), 0),
                   frame(method("Lshop/Shop;", "old"), 1), frame(method("Lshop/Shop;", "serve"), 3),
                   frame(method("Lshop/Shop;", "main"), 1)};
  main().monitors = {{lock_, 2}};
  lock_->monitor_owner = &main();
  constexpr std::size_t kWorker = 1;
  constexpr std::size_t kReader = 2;
  constexpr std::size_t kGone = 4;
  threads_[kWorker]->frames.insert(threads_[kWorker]->frames.begin(),
                                   frame(method("Ljava/lang/Thread;", "park"), -1));
  threads_[kReader]->contended = lock_;
  for (const std::size_t idle : {kLate, kGone}) {
    threads_[idle]->life = idle == kLate ? Life::kNew : Life::kTerminated;
    threads_[idle]->frames.clear();
    threads_[idle]->storage.clear();
  }
}

}  // namespace jvmdebug::fake
