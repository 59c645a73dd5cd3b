"""The `tavolo` command.

It starts other programs beside its own gRPC threads and never uses gRPC in a fork of itself. gRPC's handlers
for forks would run in every child before it becomes its program, and now and then end it there; they are read
from the environment when gRPC is first imported, so this comes before everything else.
"""

import os

os.environ.setdefault("GRPC_ENABLE_FORK_SUPPORT", "0")
