/// Why a server could not start.
public struct HTTPServerError: Error, Hashable, CustomStringConvertible {
    /// Names what went wrong; more codes may come, so a switch over them needs a default.
    public struct Code: Sendable, Hashable, RawRepresentable {
        /// The stable text of the code.
        public let rawValue: String

        /// Makes a code of its text.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The address cannot be understood, or its host cannot be found.
        public static let badAddress = Code(rawValue: "bad_address")
        /// Someone already listens there.
        public static let addressInUse = Code(rawValue: "address_in_use")
        /// The system does not let this process listen there.
        public static let addressRefused = Code(rawValue: "address_refused")
        /// The system lacks something a server needs: descriptors, memory or threads.
        public static let noResources = Code(rawValue: "no_resources")
    }

    /// What went wrong, for a program.
    public let code: Code
    /// What went wrong and what to do, for an operator.
    public let message: String
    /// The system's error number, or 0 when there was none.
    public let errno: Int32

    /// The message.
    public var description: String { message }

    init(_ code: Code, _ message: String, errno: Int32 = 0) {
        self.code = code
        self.message = message
        self.errno = errno
    }
}
