import Glibc

/// Makes a stream socket that never blocks and is not inherited; negative, with `errno`, when there is none left.
func streamSocket(family: Int32) -> Int32 {
    socket(family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
}
