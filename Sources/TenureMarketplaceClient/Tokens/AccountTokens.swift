public import TenureCore

/// What an account is signed in with.
public struct AccountTokens: Sendable, Hashable {
    /// Goes with every request.
    public var access: String
    /// Gets one successor of both; nil when there is none, or the server refused it.
    public var refresh: String?
    /// When the access token ends, where the server told.
    public var endsAt: Timestamp?

    /// Puts them together.
    public init(access: String, refresh: String? = nil, endsAt: Timestamp? = nil) {
        self.access = access
        self.refresh = refresh
        self.endsAt = endsAt
    }
}

extension AccountTokens {
    /// As the file holds them.
    var text: String {
        let ends = endsAt.map { "ends \($0.seconds)\n" } ?? ""
        let refresh = refresh.map { "refresh \(HexText.written($0))\n" } ?? ""
        return "\(Self.title)\naccess \(HexText.written(access))\n\(refresh)\(ends)end\n"
    }

    /// Reads a file; nil for one that is damaged or was written by a later version.
    init?(text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        guard lines.popFirst().map(String.init) == Self.title, lines.popLast() == "", lines.popLast() == "end" else {
            return nil
        }
        self.init(access: "")
        for line in lines {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 2 else { return nil }
            switch words[0] {
            case "access": access = HexText.read(words[1]) ?? ""
            case "refresh":
                guard let token = HexText.read(words[1]) else { return nil }
                refresh = token
            case "ends":
                guard let seconds = Int64(words[1]) else { return nil }
                endsAt = Timestamp(seconds: seconds)
            default: return nil
            }
        }
        guard !access.isEmpty else { return nil }
    }

    private static let title = "tenure-tokens 1"
}

/// What a server answered to a refresh token.
public enum TokenExchange: Sendable, Hashable {
    /// New tokens. Without a refresh token among them the old one goes on.
    case successor(AccountTokens)
    /// It is used up, revoked or unknown (`invalid_grant`).
    case refused
    /// Nobody could tell.
    case unanswered
}

/// What came of a refresh.
public enum TokenRefresh: Sendable, Hashable {
    /// Send the request again with this access token, which is on disk.
    case use(String)
    /// No refresh token helps any more.
    case signIn
    /// The server did not answer; the tokens are as they were.
    case later
}
