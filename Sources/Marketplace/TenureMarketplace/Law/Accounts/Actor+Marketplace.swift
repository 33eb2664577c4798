public import TenureCore

extension Actor.Kind {
    /// A marketplace customer who uses one of the server's pages.
    public static var account: Self { Self("account") }
}

extension Actor {
    /// App Store Connect, through a notification.
    public static var appStore: Actor { Actor(Kind("app-store")) }

    /// A marketplace customer who uses one of the server's pages.
    public static func account(_ id: AccountID) -> Actor { Actor(.account, id.text) }
}
