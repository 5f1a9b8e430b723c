# SPDX-License-Identifier: Apache-2.0
"""Code that the interpreter does not support and javac compiles: lambdas, anonymous classes, ….

Text → Java source of a class with one method, whose parameters are the variables of the frame
(`rewriting`) → class files, compiled against those of the program (`javac`, `program_classes`) → a
class in the debuggee (`defining`), whose method is invoked. Called by `expression` for texts that
the parser rejects with NeedsCompilerError. Begin with `compiled_code`.
"""

from jvmdebug.evaluator.compiling.compiled_code import CompiledCode
from jvmdebug.evaluator.compiling.warming import warm_compiler

__all__ = ["CompiledCode", "warm_compiler"]
