"""Generate the Python code of the API from its `.proto` files; run by hatchling before every build.

Writes, all git-ignored: `*_pb2.py`, `*_pb2.pyi`, `*_pb2_grpc.py` beside the `.proto` files,
`proto/junto/_buf/validate_pb2.py` (the constraints' own descriptor, under our name so that nothing
but `junto` lands in site-packages), and `proto/junto.binpb`, an image of the whole API for `buf` and
for generators in other languages.
Run by hand: `python hatch_build.py`.
"""

from __future__ import annotations

import pathlib
import shutil
import sys
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = pathlib.Path(__file__).resolve().parent
PROTO = ROOT / "proto"
VALIDATE = "buf/validate/validate.proto"


def validate_descriptors() -> bytes:
    """Return `buf/validate/validate.proto` and what it imports, as the protovalidate wheel has them."""
    import protovalidate
    from google.protobuf import descriptor_pb2

    file = protovalidate.ViolationPb.desc().file
    protos = [*(dependency.proto for dependency in file.dependencies), file.proto]
    return descriptor_pb2.FileDescriptorSet(
        file=[descriptor_pb2.FileDescriptorProto.FromString(proto.to_binary()) for proto in protos]
    ).SerializeToString()


def program(name: str) -> str:
    """Return the path of a program that was installed with this Python, else of one on PATH."""
    beside = pathlib.Path(sys.executable).parent / name
    return str(beside) if beside.exists() else shutil.which(name) or name


def generate() -> None:
    """Write all generated files into `proto/`."""
    from grpc_tools import protoc

    sources = sorted(str(path.relative_to(PROTO)) for path in PROTO.glob("junto/**/*.proto"))
    services = [name for name in sources if "\nservice " in (PROTO / name).read_text(encoding="utf-8")]
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder)
        (out / "validate.binpb").write_bytes(validate_descriptors())
        plugins = [f"--plugin=protoc-gen-{name}={program(f'protoc-gen-{name}')}" for name in ("mypy", "mypy_grpc")]
        common = ["protoc", f"--descriptor_set_in={out / 'validate.binpb'}", f"-I{PROTO}", *plugins]
        image = ["--include_imports", "--include_source_info", f"--descriptor_set_out={PROTO / 'junto.binpb'}"]
        python = [f"--python_out={out}", f"--mypy_out=quiet:{out}"]
        for arguments in (
            [*image, *python, *sources],
            [f"--grpc_python_out={out}", f"--mypy_grpc_out=quiet:{out}", *services],
            [*python, VALIDATE],
        ):
            if protoc.main([*common, *arguments]):
                raise SystemExit("protoc failed")
        place(out)


def place(out: pathlib.Path) -> None:
    """Copy what protoc wrote into the source root, the constraints' module under `junto/_buf`."""
    (PROTO / "junto" / "_buf").mkdir(exist_ok=True)
    for path in [*out.glob("**/*.py"), *out.glob("**/*.pyi")]:
        name = path.relative_to(out)
        target = PROTO / "junto" / "_buf" / name.name if name.parts[0] == "buf" else PROTO / name
        text = path.read_text(encoding="utf-8")
        text = text.replace("from buf.validate import", "from junto._buf import")
        text = text.replace("buf.validate.validate_pb2", "junto._buf.validate_pb2")
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.parent.mkdir(parents=True, exist_ok=True)
            scratch = target.with_suffix(".part")
            scratch.write_text(text, encoding="utf-8")
            shutil.move(scratch, target)


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Generate the code before hatchling collects files."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Generate; see the module."""
        del version, build_data
        generate()


if __name__ == "__main__":
    generate()
