#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

extension FileDescriptor {
    /// The result of ``tryLock()``.
    package enum Lock: Sendable, Equatable {
        /// The lock is held until the descriptor is closed.
        case acquired
        /// Another descriptor, of this process or another one, holds the lock.
        case busy
        /// The lock can't be used, for example on a file system without locks.
        case failed(Errno)
    }

    /// Waits for the exclusive lock of the file or folder, which is then held until the descriptor is closed.
    package func lock() throws(Errno) {
        while flock(number, LOCK_EX) != 0 {
            if errno != EINTR { throw .current }
        }
    }

    /// Takes the exclusive lock of the file or folder, without waiting for it.
    package func tryLock() -> Lock {
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return .busy
            default: return .failed(.current)
            }
        }
        return .acquired
    }
}
