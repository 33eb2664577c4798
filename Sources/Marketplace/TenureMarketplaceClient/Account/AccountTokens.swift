public import TenureCore

/// The tokens of a signed-in account, as the app and its extension share them.
public struct AccountTokens: Sendable, Hashable {
    /// The access token, sent with every request.
    public var access: String
    /// The refresh token, which can be used once; `nil` if the account doesn't have one or the server rejected it.
    public var refresh: String?
    /// When the access token expires; `nil` if the server sent no lifetime.
    public var endsAt: Timestamp?

    /// Creates a value from its parts, which the server sent.
    public init(access: String, refresh: String? = nil, endsAt: Timestamp? = nil) {
        self.access = access
        self.refresh = refresh
        self.endsAt = endsAt
    }
}

extension AccountTokens {
    /// The tokens in the format of the token file, one per line.
    var text: String {
        let ends = endsAt.map { "ends \($0.seconds)\n" } ?? ""
        let refresh = refresh.map { "refresh \(HexText.written($0))\n" } ?? ""
        return "\(Self.title)\naccess \(HexText.written(access))\n\(refresh)\(ends)end\n"
    }

    /// Parses a token file; returns `nil` if the file is damaged or was written by a later version.
    init?(text: String) {
        var lines = text.split(atByte: "\n", omittingEmptySubsequences: false)[...]
        guard lines.popFirst().map(String.init) == Self.title, lines.popLast() == "", lines.popLast() == "end" else {
            return nil
        }
        self.init(access: "")
        for line in lines {
            let words = line.split(atByte: " ", omittingEmptySubsequences: false)
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

/// The result of sending a refresh token to the server.
public enum TokenExchange: Sendable, Hashable {
    /// New tokens; if they don't include a refresh token, the current one stays valid.
    case successor(AccountTokens)
    /// The refresh token has been used, revoked or is unknown (`invalid_grant`).
    case refused
    /// The server gave no usable response.
    case unanswered
}

/// The result of a refresh: the next step for the request whose token was rejected.
public enum TokenRefresh: Sendable, Hashable {
    /// Send the request again with this access token, which has been stored.
    case use(String)
    /// The refresh token can't be used, so the user has to sign in again.
    case signIn
    /// The server didn't respond and the stored tokens are unchanged, so try again later.
    case later
}
