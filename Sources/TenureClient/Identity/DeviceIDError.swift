/// Why this device cannot be recognized.
package struct DeviceIDError: Error, Sendable, Hashable {
    package enum Code: String, Sendable, Hashable {
        /// The system has no identifier for it.
        case absent
        /// What the system has is shared by many: an image's, or a well-known one.
        case shared
        /// It is there and cannot be read.
        case unreadable
        /// The identifier that the app chose, or what the system has, cannot be one.
        case unusable
    }

    /// Which.
    package let code: Code
    /// What went wrong and what to do about it; the identifier is not in it.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }
}
