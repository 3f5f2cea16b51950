#!/bin/sh
# mpirun over two hosts that are network namespaces of this machine, joined by a
# pair of virtual Ethernet devices: the processes can meet by TCP alone, as on
# two machines, and have no memory in common.
#
#   tests/two_hosts.sh [PITH-MPI]      (as root; needs iproute2 and Open MPI)
#
# Learns from a small graph, scores the model and answers queries, by one process
# and by two on each of two hosts, and compares the bytes.
set -eu
pith=$(realpath "${1:-build/pith-mpi}")
alone=$(dirname "$pith")/pith
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
a=pith-a-$$ b=pith-b-$$

# shellcheck disable=SC2317 # called by the trap
clean_up() {
  ip netns del "$a" 2>/dev/null || true
  ip netns del "$b" 2>/dev/null || true
  rm -rf "$work"
}
trap clean_up EXIT INT TERM

ip netns add "$a"
ip netns add "$b"
ip link add pva$$ netns "$a" type veth peer name pvb$$ netns "$b"

join() { # NAMESPACE DEVICE ADDRESS
  ip netns exec "$1" ip address add "$3/24" dev "$2"
  ip netns exec "$1" ip link set "$2" up
  ip netns exec "$1" ip link set lo up
}
join "$a" pva$$ 10.77.0.1
join "$b" pvb$$ 10.77.0.2

# What mpirun starts on the other host, in place of ssh: HOST COMMAND...
# A host has a name, processes and shared memory of its own, so that nobody takes
# the processes of the other for neighbours.
cat >"$work/rsh" <<SCRIPT
#!/bin/sh
shift
exec ip netns exec $b unshare --uts --ipc --pid --fork --mount-proc \\
  sh -c 'hostname host-b; exec sh -c "\$*"' sh "\$@"
SCRIPT
chmod +x "$work/rsh"

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_hwloc_base_binding_policy=none
together() {
  ip netns exec "$a" unshare --uts --ipc --pid --fork --mount-proc \
    sh -c 'hostname host-a; exec "$@"' sh \
    mpirun --oversubscribe --leave-session-attached -n 4 --host 10.77.0.1:2,10.77.0.2:2 \
    --mca plm_rsh_agent "$work/rsh" --mca btl tcp,self --mca pml ob1 \
    --mca btl_tcp_if_include 10.77.0.0/24 \
    --mca oob_tcp_if_include 10.77.0.0/24 "$pith" "$@"
}

python3 - "$here" "$work" <<'SCRIPT'
import pathlib
import sys
sys.path.insert(0, sys.argv[1])
from check_mpi import make_folder, make_queries
graph = pathlib.Path(sys.argv[2], "graph")
graph.mkdir()
make_folder(graph)
make_queries(graph, pathlib.Path(sys.argv[2], "queries.pl"))
SCRIPT

failed=0
compare() {
  if cmp -s "$2" "$3" && [ -s "$2" ]; then
    echo "ok   $1: four processes on two hosts, same bytes"
  else
    echo "FAIL $1"
    failed=1
  fi
}
cd "$work"
"$alone" learn -q -j 1 graph -o alone.pl
together learn -q -v -j 1 graph -o both.pl 2>said || cat said
grep "processes shared" said
compare learn alone.pl both.pl
"$alone" score -j 1 alone.pl graph >alone.txt
together score -j 1 alone.pl graph >both.txt 2>said || cat said
compare score alone.txt both.txt
"$alone" infer -j 1 --top 3 alone.pl graph/train.tsv --queries queries.pl >alone.txt
together infer -j 1 --top 3 alone.pl graph/train.tsv --queries queries.pl \
  >both.txt 2>said || cat said
compare "infer --queries" alone.txt both.txt
ip netns exec "$a" cat /proc/net/dev | awk -v d="pva$$:" \
  '$1 == d { printf "%.1f KB received and %.1f KB sent by the first host\n", $2 / 1000, $10 / 1000 }'
exit $failed
