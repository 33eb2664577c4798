/// The place is free again.
package struct Released: Sendable, Hashable {
    /// The server's time, if it was signed.
    package let serverTime: Moment?

    package init(serverTime: Moment? = nil) { self.serverTime = serverTime }
}
