"""Languages that are highlighted, by Pygments' names. Data only.

Pygments knows some 550 languages. These are the common ones whose lexers never raised and took no
single step longer than 25 ms on texts made to be expensive, so that a message's time budget for
highlighting really bounds it. Code in other languages keeps its name and stays plain.
"""

from typing import Final

_NAMES: Final = """
ABAP
Ada
ApacheConf
AppleScript
Arduino
Awk
Bash
Bash Session
Batchfile
BibTeX
C
C#
C++
Clojure
CMake
COBOL
CoffeeScript
Common Lisp
Crystal
CSS
CUDA
Cython
D
Dart
Diff
Docker
Elixir
Elm
EmacsLisp
Erlang
F#
Fish
Fortran
Gherkin
GLSL
Go
GraphQL
Groovy
Haml
Haskell
HLSL
HTML
HTTP
Idris
INI
Java
JavaScript
JSON
JSX
Julia
Kotlin
LessCss
Lua
Makefile
Markdown
Meson
MySQL
NASM
Nginx configuration file
Nimrod
Nix
Objective-C
OCaml
Octave
Perl
PHP
PL/pgSQL
PostgreSQL SQL dialect
PowerShell
Prolog
Properties
Protocol Buffer
Puppet
Python
Python 2.x
Python console session
Python Traceback
QML
Racket
reStructuredText
Ruby
Ruby irb session
Rust
S
Sass
Scala
Scheme
SCSS
Solidity
SPARQL
SQL
Standard ML
Stata
Swift
systemverilog
Tcl
Terraform
TeX
TOML
TSX
TypeScript
Typst
VB.net
verilog
vhdl
VimL
Vue
WebAssembly
XML
YAML
"""

MIXED: Final = frozenset({"CSS+PHP", "HTML+PHP", "JavaScript+PHP", "XML+PHP"})
"""PHP within another language: two lexers in sequence, so that only short code is highlighted."""

HIGHLIGHTED: Final = (frozenset(_NAMES.split("\n")) - {""}) | MIXED
