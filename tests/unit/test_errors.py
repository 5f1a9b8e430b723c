# SPDX-License-Identifier: Apache-2.0
"""One exception class for each JDWP error code, made by the table."""

from __future__ import annotations

import pytest

from jvmdebug import errors
from jvmdebug.jdwp.generated.constants import ErrorCode

CODES = [code for code in ErrorCode if code is not ErrorCode.NONE]


@pytest.mark.parametrize("code", CODES, ids=lambda code: code.name)
def test_each_code_has_a_class_of_its_own(code: ErrorCode) -> None:
    error = errors.VmError.of_code(code, "Thing.Do(x=1)")
    assert type(error) is not errors.VmError
    assert error.code == code
    assert error.name == code.name
    assert str(error).startswith(f"Thing.Do(x=1) failed with {code.name} ({code.value}): ")
    assert error.meaning.endswith(".")


def test_classes_are_distinct() -> None:
    assert len({type(errors.VmError.of_code(code, "")) for code in CODES}) == len(CODES)


def test_an_undefined_code_is_a_plain_vm_error_that_keeps_the_number() -> None:
    error = errors.VmError.of_code(4711, "Thing.Do()")
    assert type(error) is errors.VmError
    assert error.code == 4711
    assert "4711" in str(error)


def test_all_errors_are_jvmdebug_errors() -> None:
    for each in vars(errors).values():
        if isinstance(each, type) and issubclass(each, BaseException):
            assert issubclass(each, errors.JvmDebugError)
