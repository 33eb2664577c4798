extension EventKind {
    /// A person ended a session on the resolution page.
    public static let accountSessionClosed = EventKind("account.session_closed")
}
