public import TenureCore

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The tokens of accounts in a folder that an app and its extension share, refreshed by one of them at a time.
///
/// A refresh token works once; a server that sees it twice takes it for stolen and ends the sign-in. So whoever was refused
/// waits for the account's file lock, looks whether somebody else has a successor by then, and only otherwise asks.
public struct TokenFolder: Sendable, Hashable {
    /// Where it is. It exists, and nobody but these programs writes to it.
    public let path: String

    /// Names a folder; nothing is read or made.
    public init(path: String) {
        self.path = path
    }

    /// Reads an account's tokens; nil when there are none, or the file is damaged.
    ///
    /// Throws: `.unreadable`.
    public func tokens(of account: AccountID) throws(TokenFolderError) -> AccountTokens? {
        try TokenFile(path: file(of: account)).contents().flatMap(AccountTokens.init(text:))
    }

    /// Keeps what a sign-in brought, or forgets the account with nil, when no refresh of it is under way.
    ///
    /// Throws: `.busy` after `patience`, `.unwritable`.
    public func keep(
        _ tokens: AccountTokens?, of account: AccountID, patience: Duration = .seconds(30)
    ) async throws(TokenFolderError) {
        let lock = try await Self.locked(file(of: account), patience)
        defer { close(lock) }
        try TokenFile(path: file(of: account)).replace(with: tokens?.text)
    }

    /// Gets an access token in place of one that was refused.
    ///
    /// The exchange is called at most once, with the account locked against every other process and task, and its
    /// successor is durable before this answers.
    ///
    /// Throws: `.busy` after `patience`; `.unreadable`; `.unwritable`, and then the successor is lost and not handed out.
    /// - Parameters:
    ///   - refused: The access token that the server did not take.
    ///   - exchange: Asks the server with the refresh token; it shall end within a deadline of its own.
    public func refresh(
        _ account: AccountID, refused: String, patience: Duration = .seconds(30),
        exchange: @Sendable (String) async -> TokenExchange
    ) async throws(TokenFolderError) -> TokenRefresh {
        let lock = try await Self.locked(file(of: account), patience)
        defer { close(lock) }
        guard let kept = try tokens(of: account) else { return .signIn }
        guard kept.access == refused else { return .use(kept.access) }
        guard let refresh = kept.refresh else { return .signIn }
        let file = TokenFile(path: file(of: account))
        switch await exchange(refresh) {
        case .successor(var successor):
            successor.refresh = successor.refresh ?? refresh
            try file.replace(with: successor.text)
            return .use(successor.access)
        case .refused:
            try file.replace(with: AccountTokens(access: kept.access, endsAt: kept.endsAt).text)
            return .signIn
        case .unanswered: return .later
        }
    }

    /// Reads the ledger of failures, lets it be changed, and keeps it, while nobody else can: app and extension have one
    /// budget. A ledger that cannot be read begins anew.
    ///
    /// Throws: `.busy` after `patience`, `.unreadable`, `.unwritable`.
    public func changeLedger<Result>(
        patience: Duration = .seconds(5), _ change: (inout FailureLedger) -> Result
    ) async throws(TokenFolderError) -> Result {
        let path = "\(path)/failures"
        let lock = try await Self.locked(path, patience)
        defer { close(lock) }
        let file = TokenFile(path: path)
        let kept = try file.contents().flatMap(FailureLedger.init(text:)) ?? FailureLedger()
        var ledger = kept
        let result = change(&ledger)
        if ledger != kept { try file.replace(with: ledger.text) }
        return result
    }

    /// Takes a file's lock, and answers the descriptor that holds it. The system lets go of it when a process ends.
    private static func locked(_ path: String, _ patience: Duration) async throws(TokenFolderError) -> Int32 {
        let file = path + ".lock"
        let descriptor = unsafe open(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw TokenFolderError(.unwritable, file) }
        let end = ContinuousClock.now + patience
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let cause = errno
            if cause == EINTR { continue }
            guard cause == EWOULDBLOCK, ContinuousClock.now < end, !Task.isCancelled else {
                close(descriptor)
                throw TokenFolderError(cause == EWOULDBLOCK ? .busy : .unwritable, file, cause)
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return descriptor
    }

    /// Names of 1 to 128 bytes in an alphabet without letters in two cases: at most 205 letters, which every system takes.
    private func file(of account: AccountID) -> String {
        var name = ""
        var (bits, count) = (0, 0)
        for byte in account.text.utf8 + [0] {
            bits = (bits << 8 | Int(byte)) & 0xFFF
            count += 8
            while count >= 5 {
                count -= 5
                name.unicodeScalars.append(Unicode.Scalar(Self.digits[bits >> count & 31]))
            }
        }
        return "\(path)/tokens-\(name)"
    }

    private static let digits = Array("0123456789abcdefghjkmnpqrstvwxyz".utf8)
}
