# SPDX-License-Identifier: Apache-2.0
"""Code that only a compiler can read: lambdas, method references, anonymous classes.

Text → Java source of a class whose one method takes the frame's variables (`rewriting`) → class
files, by the JDK's compiler, against the program's own (`javac`, `class_files`) → a class in the
debuggee (`defining`) → its method is called. Called by `evaluation`, for texts that the parser
gives up with NeedsCompilerError.
"""

from jvmdebug.evaluator.compiling.compiled_code import CompiledCode

__all__ = ["CompiledCode"]
