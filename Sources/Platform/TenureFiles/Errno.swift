#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The error number of a failed system call.
package struct Errno: Error, Hashable, CustomStringConvertible {
    package let rawValue: Int32

    package init(_ rawValue: Int32) { self.rawValue = rawValue }

    /// The error of this thread's last failed system call.
    package static var current: Errno { Errno(errno) }

    /// The system's message, such as "No such file or directory".
    package var description: String { unsafe String(cString: strerror(rawValue)) }
}
