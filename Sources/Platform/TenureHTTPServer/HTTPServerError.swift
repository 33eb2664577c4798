import Glibc
import TenureThreads

/// Why a server couldn't start.
public struct HTTPServerError: Error, Hashable, CustomStringConvertible {
    /// A stable code; more may be added, so a switch needs a default.
    public struct Code: Sendable, Hashable, RawRepresentable {
        /// The code as written in logs, such as `address_in_use`.
        public let rawValue: String

        /// Creates a code from its text.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The address is invalid, or its host can't be resolved.
        public static let badAddress = Code(rawValue: "bad_address")
        /// Another process already listens on the address.
        public static let addressInUse = Code(rawValue: "address_in_use")
        /// The system doesn't let this process listen there.
        public static let addressRefused = Code(rawValue: "address_refused")
        /// Descriptors, memory or threads ran out.
        public static let noResources = Code(rawValue: "no_resources")
    }

    /// The kind of failure; programs should depend on nothing else.
    public let code: Code
    /// The error message, which names the fault and the remedy, for operators.
    public let message: String
    /// The system's error number; 0 if there isn't one.
    public let errno: Int32

    /// The same as ``message``.
    public var description: String { message }

    init(_ code: Code, _ message: String, errno: Int32 = 0) {
        self.code = code
        self.message = message
        self.errno = errno
    }

    init(_ error: ThreadError) {
        self.init(.noResources, error.description, errno: error.number)
    }

    /// Creates the error for an event thread that couldn't be started, with the number in `errno`.
    static func noEventThread() -> HTTPServerError {
        HTTPServerError(
            .noResources, "An event thread could not be started. Raise the limits of open files and threads.",
            errno: Glibc.errno)
    }
}
