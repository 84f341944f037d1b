"""Types and functions as clang sees them, named as our lowering names them."""

from __future__ import annotations

from collections.abc import Iterator

from tests.oracles.libclang import Place, cindex, location


def _kinds() -> dict[object, str]:
    k = cindex.TypeKind
    sizes = {
        "int8": (k.CHAR_S, k.CHAR_U), "signed char": (k.SCHAR,), "uint8": (k.UCHAR,), "int16": (k.SHORT,), "uint16": (k.USHORT,),
        "char16_t": (k.CHAR16,), "int32": (k.INT,), "wchar_t": (k.WCHAR,), "uint32": (k.UINT,), "char32_t": (k.CHAR32,),
        "int64": (k.LONG,), "long long": (k.LONGLONG,), "uint64": (k.ULONG,), "unsigned long long": (k.ULONGLONG,),
        "bool": (k.BOOL,), "void": (k.VOID,), "float": (k.FLOAT,), "double": (k.DOUBLE,), "long double": (k.LONGDOUBLE,),
    }  # fmt: skip
    return {kind: name for name, group in sizes.items() for kind in group}


def name_of(type_: cindex.Type) -> str:
    """A type with its qualifiers, as `lower/names/identity.qualified_key` spells it."""
    type_ = type_.get_canonical()
    words = [w for w, on in (("const", type_.is_const_qualified()), ("volatile", type_.is_volatile_qualified())) if on]
    name = _bare_name(type_)
    if type_.kind is cindex.TypeKind.POINTER:
        return " ".join([name, *words])
    return name if type_.kind is cindex.TypeKind.CONSTANTARRAY else " ".join([*words, name])


def _bare_name(type_: cindex.Type) -> str:
    kinds, k = _kinds(), cindex.TypeKind
    if type_.kind in kinds:
        return kinds[type_.kind]
    if type_.kind in (k.POINTER, k.LVALUEREFERENCE, k.RVALUEREFERENCE):
        mark = {k.POINTER: "*", k.LVALUEREFERENCE: "&", k.RVALUEREFERENCE: "&&"}[type_.kind]
        return name_of(type_.get_pointee()) + mark
    if type_.kind is k.FUNCTIONPROTO:
        return f"{name_of(type_.get_result())}({', '.join(map(name_of, type_.argument_types()))})"
    if type_.kind is k.CONSTANTARRAY:
        element = name_of(type_.element_type)  # an array's qualifiers are its elements'
        word = "const " if type_.is_const_qualified() and not element.startswith("const ") else ""
        return f"{word}{element}[{type_.element_count}]"
    if type_.kind is k.INCOMPLETEARRAY:
        return f"{name_of(type_.element_type)}[]"
    if type_.kind is k.ENUM:
        return "::".join(_scopes(type_.get_declaration()))
    if type_.kind is k.RECORD:
        return record_name(type_)
    return "?"


_LIBRARY = {"__half": "half", "__half2": "half2"}  # as the toolkit's typedefs name them


def record_name(type_: cindex.Type) -> str:
    """A class by its qualified name, with its template arguments."""
    declaration = type_.get_declaration()
    scope = "::".join(_scopes(declaration))
    scope = _LIBRARY.get(scope, scope)
    return f"{scope}{_arguments(type_, declaration)}"


def _scopes(declaration: cindex.Cursor) -> list[str]:
    names: list[str] = []
    while declaration is not None and declaration.kind is not cindex.CursorKind.TRANSLATION_UNIT:
        if declaration.kind is cindex.CursorKind.FUNCTION_DECL or not declaration.spelling:
            names.append("?")
        else:
            names.append(declaration.spelling)
        declaration = declaration.semantic_parent
    return names[::-1]


def _arguments(type_: cindex.Type, declaration: cindex.Cursor) -> str:
    count = type_.get_num_template_arguments()
    if count <= 0:
        return ""
    parts = []
    for i in range(count):
        argument = type_.get_template_argument_type(i)
        if argument.kind is not cindex.TypeKind.INVALID:
            parts.append(name_of(argument))
        elif _argument_kind(declaration, i) is cindex.TemplateArgumentKind.INTEGRAL:
            parts.append(_number(declaration, i))
        else:
            parts.append("?")
    return f"<{', '.join(parts)}>"


def _argument_kind(cursor: cindex.Cursor, i: int) -> object:
    """The kind of a template argument; None for those that the Python part of the library has no name for (packs, templates)."""
    try:
        return cursor.get_template_argument_kind(i)
    except ValueError:
        return None


def _number(cursor: cindex.Cursor, i: int) -> str:
    """An argument that is a number; `true` has one bit, which is no sign."""
    value, unsigned = cursor.get_template_argument_value(i), cursor.get_template_argument_unsigned_value(i)
    return str(unsigned if unsigned == 1 else value)


def function_arguments(function: cindex.Cursor) -> tuple[str, ...] | None:
    """The template arguments of an instance of a function template, of numbers both readings; None for a plain function."""
    count = function.get_num_template_arguments()
    if count < 0:
        return None
    found = []
    for i in range(count):
        kind = _argument_kind(function, i)
        if kind is cindex.TemplateArgumentKind.TYPE:
            found.append(name_of(function.get_template_argument_type(i)))
        elif kind is cindex.TemplateArgumentKind.INTEGRAL:
            value, unsigned = function.get_template_argument_value(i), function.get_template_argument_unsigned_value(i)
            both = dict.fromkeys((_number(function, i), str(value), str(unsigned)))
            found.append("/".join(both))  # the library does not know the sign
        else:
            found.append("?")
    return tuple(found)


def places(function: cindex.Cursor) -> Iterator[Place]:
    """Where the function is declared and defined: the names in all declarations that can be found from this one."""
    for cursor in (function, function.get_definition(), function.canonical, _template(function)):
        if cursor is not None:
            yield location(cursor.location)


def _template(function: cindex.Cursor) -> cindex.Cursor | None:
    found = cindex.conf.lib.clang_getSpecializedCursorTemplate(function)
    return None if found is None or found.kind.is_invalid() else found


def with_body(function: cindex.Cursor) -> cindex.Cursor:
    return function.get_definition() or function
