# SPDX-License-Identifier: Apache-2.0
"""Java source that every compiled class contains besides the user's code.

`$result` stores the static type of the result in `$kind`. `metafactory` links lambdas where the
platform's LambdaMetafactory cannot: by classes that come with the class (`lambda_classes`), and
where there is none, or the VM refuses it, by proxies.
"""

from __future__ import annotations

from typing import Final

KIND_FIELD: Final = "$kind"
NO_VALUE: Final = "V"
"""The kind of void; the other kinds are descriptor letters, `L` for objects."""

_PRIMITIVES: Final = {
    "Z": "boolean", "B": "byte", "C": "char", "S": "short", "I": "int", "J": "long", "F": "float",
    "D": "double",
}  # fmt: skip

_RESULTS: Final = "\n".join(
    f'  static java.lang.Object $result({name} value) {{ $kind = "{kind}"; return value; }}'
    for kind, name in {**_PRIMITIVES, "L": "java.lang.Object"}.items()
)

RESULT_METHODS: Final = f"""\
  static java.lang.String {KIND_FIELD};
  static java.lang.Object $result() {{ $kind = "{NO_VALUE}"; return null; }}
{_RESULTS}
"""
LAMBDA_CLASSES: Final = "\0classes of lambdas"
"""A text in the class that no other is; `lambda_classes` puts the class files into its place."""
_CLASSES_LITERAL: Final = LAMBDA_CLASSES.replace("\0", r"\0")
LAMBDA_METHODS: Final = """\
  static java.lang.invoke.CallSite metafactory(java.lang.invoke.MethodHandles.Lookup caller,
      java.lang.String name, java.lang.invoke.MethodType site,
      java.lang.invoke.MethodType erased, java.lang.invoke.MethodHandle body,
      java.lang.invoke.MethodType type) throws java.lang.Throwable {
    java.lang.String wanted =
        name + site.toMethodDescriptorString() + erased.toMethodDescriptorString();
    byte[] classFile = $classFile(wanted);
    if (classFile != null) {
      try {
        return $callSite(caller.defineHiddenClass(classFile, true,
            java.lang.invoke.MethodHandles.Lookup.ClassOption.NESTMATE), site, erased, body, type);
      } catch (java.lang.IllegalAccessException | java.lang.LinkageError refused) {
      }
    }
    return $proxies(caller, site, body, type);
  }
  static byte[] $classFile(java.lang.String wanted) {
    java.lang.String all = "$CLASSES";
    int at = 0;
    while (at < all.length()) {
      int end = all.indexOf('\\n', at);
      int size = all.charAt(end + 1);
      if (all.substring(at, end).equals(wanted)) {
        return all.substring(end + 2, end + 2 + size)
            .getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
      }
      at = end + 2 + size;
    }
    return null;
  }
  static java.lang.invoke.CallSite $callSite(java.lang.invoke.MethodHandles.Lookup made,
      java.lang.invoke.MethodType site, java.lang.invoke.MethodType erased,
      java.lang.invoke.MethodHandle body, java.lang.invoke.MethodType type)
      throws java.lang.Throwable {
    java.lang.Class<?>[] captured = site.parameterArray();
    java.lang.invoke.MethodHandle whole = body.asFixedArity()
        .asType(type.insertParameterTypes(0, captured))
        .asType(erased.insertParameterTypes(0, captured));
    java.lang.invoke.MethodHandle maker = java.lang.invoke.MethodHandles.insertArguments(
        made.findConstructor(made.lookupClass(),
            java.lang.invoke.MethodType.methodType(void.class, captured)
                .insertParameterTypes(0, java.lang.invoke.MethodHandle.class)), 0, whole)
        .asType(site);
    return new java.lang.invoke.ConstantCallSite(captured.length > 0 ? maker
        : java.lang.invoke.MethodHandles.constant(site.returnType(), maker.invoke()));
  }
  static java.lang.invoke.CallSite $proxies(java.lang.invoke.MethodHandles.Lookup caller,
      java.lang.invoke.MethodType site, java.lang.invoke.MethodHandle body,
      java.lang.invoke.MethodType type) throws java.lang.Throwable {
    java.lang.invoke.MethodHandle maker = caller.findStatic(caller.lookupClass(), "$lambda",
        java.lang.invoke.MethodType.methodType(java.lang.Object.class, java.lang.Class.class,
            java.lang.invoke.MethodHandle.class, java.lang.invoke.MethodType.class,
            java.lang.Object[].class));
    maker = java.lang.invoke.MethodHandles.insertArguments(
        maker, 0, site.returnType(), body, type);
    return new java.lang.invoke.ConstantCallSite(
        maker.asCollector(java.lang.Object[].class, site.parameterCount()).asType(site));
  }
  static java.lang.invoke.CallSite altMetafactory(java.lang.invoke.MethodHandles.Lookup caller,
      java.lang.String name, java.lang.invoke.MethodType site, java.lang.Object... more)
      throws java.lang.Throwable {
    return $proxies(caller, site, (java.lang.invoke.MethodHandle) more[1],
        (java.lang.invoke.MethodType) more[2]);
  }
  static java.lang.Object $lambda(java.lang.Class<?> type, java.lang.invoke.MethodHandle body,
      java.lang.invoke.MethodType shape, java.lang.Object[] captured)
      throws java.lang.Throwable {
    java.lang.invoke.MethodHandle bound =
        java.lang.invoke.MethodHandles.insertArguments(body, 0, captured).asType(shape);
    java.lang.invoke.MethodHandle handler = java.lang.invoke.MethodHandles.lookup().findStatic(
        java.lang.invoke.MethodHandles.lookup().lookupClass(), "$invoke",
        java.lang.invoke.MethodType.methodType(java.lang.Object.class,
            java.lang.invoke.MethodHandle.class, java.lang.Object.class,
            java.lang.reflect.Method.class, java.lang.Object[].class));
    return java.lang.reflect.Proxy.newProxyInstance(type.getClassLoader(),
        new java.lang.Class<?>[] {type},
        java.lang.invoke.MethodHandleProxies.asInterfaceInstance(
            java.lang.reflect.InvocationHandler.class,
            java.lang.invoke.MethodHandles.insertArguments(handler, 0, bound)));
  }
  static java.lang.Object $invoke(java.lang.invoke.MethodHandle body, java.lang.Object proxy,
      java.lang.reflect.Method method, java.lang.Object[] arguments) throws java.lang.Throwable {
    if (method.getDeclaringClass() == java.lang.Object.class) {
      switch (method.getName()) {
        case "equals": return proxy == arguments[0];
        case "hashCode": return java.lang.System.identityHashCode(proxy);
        default: return "lambda of an evaluation";
      }
    }
    if (method.isDefault()) {
      return java.lang.invoke.MethodHandles.lookup().unreflectSpecial(method, proxy.getClass())
          .bindTo(proxy).invokeWithArguments(arguments);
    }
    return body.invokeWithArguments(arguments);
  }
""".replace("$CLASSES", _CLASSES_LITERAL)
