# SPDX-License-Identifier: Apache-2.0
"""The classes of lambdas in what javac has compiled."""

from __future__ import annotations

from jvmdebug.classfile import ClassFile, ConstantTag
from jvmdebug.evaluator.compiling.lambda_classes import lambda_class


def test_a_class_calls_its_body_with_what_was_captured() -> None:
    site = "(JLshop/Cart;)Ljava/util/function/ToIntFunction;"
    file = ClassFile.read(lambda_class("shop/Code$lambda", "applyAsInt", site, "(LA;D)I"))
    assert file.name == "shop/Code$lambda"
    assert file.interfaces == ("java/util/function/ToIntFunction",)
    texts = [(each.name, each.descriptor) for each in (*file.fields, *file.methods)]
    assert texts == [
        ("b", "Ljava/lang/invoke/MethodHandle;"),
        ("c0", "J"),
        ("c1", "Lshop/Cart;"),
        ("<init>", "(Ljava/lang/invoke/MethodHandle;JLshop/Cart;)V"),
        ("applyAsInt", "(LA;D)I"),
    ]
    called = [
        file.constants.member(each.number)
        for each in file.constants
        if each.tag == ConstantTag.METHOD_REFERENCE
    ]
    assert ("invokeExact", "(JLshop/Cart;LA;D)I") in [each[1:] for each in called]
