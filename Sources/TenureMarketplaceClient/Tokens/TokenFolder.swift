public import TenureCore
import TenureCrypto
import TenureFormats
import TenureVault

/// The tokens of accounts in a folder that an app and its extension share, refreshed by one of them at a time.
///
/// A refresh token works once; a server that sees it twice takes it for stolen and ends the sign-in. So whoever was refused
/// waits for the account's file lock, looks whether somebody else has a successor by then, and only otherwise asks.
public struct TokenFolder: Sendable, Hashable {
    /// Where it is. It is made when it is missing; it belongs to this user, and nobody else may write to it.
    public let path: String

    /// Names a folder; nothing is read or made.
    public init(path: String) {
        self.path = path
    }

    /// Reads an account's tokens; nil when there are none, or the file is damaged.
    ///
    /// Throws: `.unreadable`.
    public func tokens(of account: AccountID) throws(TokenFolderError) -> AccountTokens? {
        do throws(VaultError) {
            guard let folder = try PrivateFolder.opened(path, failing: .unreadable) else { return nil }
            return try TokenFile(name: Self.name(of: account)).tokens(in: folder)
        } catch {
            throw TokenFolderError(error)
        }
    }

    /// Keeps what a sign-in brought, or forgets the account with nil, when no refresh of it is under way.
    ///
    /// Throws: `.busy` after `patience`, `.unwritable`.
    public func keep(
        _ tokens: AccountTokens?, of account: AccountID, patience: Duration = .seconds(30)
    ) async throws(TokenFolderError) {
        let file = TokenFile(name: Self.name(of: account))
        do throws(VaultError) {
            let folder = try PrivateFolder.made(path)
            let lock = try await file.locked(in: folder, patience)
            try file.replace(tokens?.text, in: folder)
            _ = consume lock
        } catch {
            throw TokenFolderError(error)
        }
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
        let file = TokenFile(name: Self.name(of: account))
        do throws(VaultError) {
            let folder = try PrivateFolder.made(path)
            let lock = try await file.locked(in: folder, patience)
            guard let kept = try file.tokens(in: folder) else { return .signIn }
            guard kept.access == refused else { return .use(kept.access) }
            guard let refresh = kept.refresh else { return .signIn }
            let outcome: TokenRefresh
            switch await exchange(refresh) {
            case .successor(var successor):
                successor.refresh = successor.refresh ?? refresh
                try file.replace(successor.text, in: folder)
                outcome = .use(successor.access)
            case .refused:
                try file.replace(AccountTokens(access: kept.access, endsAt: kept.endsAt).text, in: folder)
                outcome = .signIn
            case .unanswered: outcome = .later
            }
            _ = consume lock
            return outcome
        } catch {
            throw TokenFolderError(error)
        }
    }

    /// Reads the ledger of failures, lets it be changed, and keeps it, while nobody else can: app and extension have one
    /// budget. A ledger that cannot be read begins anew.
    ///
    /// Throws: `.busy` after `patience`, `.unreadable`, `.unwritable`.
    public func changeLedger<Result>(
        patience: Duration = .seconds(5), _ change: (inout FailureLedger) -> Result
    ) async throws(TokenFolderError) -> Result {
        let file = TokenFile(name: "failures")
        do throws(VaultError) {
            let folder = try PrivateFolder.made(path)
            let lock = try await file.locked(in: folder, patience)
            let kept = try file.text(in: folder).flatMap(FailureLedger.init(text:)) ?? FailureLedger()
            var ledger = kept
            let result = change(&ledger)
            if ledger != kept { try file.replace(ledger.text, in: folder) }
            _ = consume lock
            return result
        } catch {
            throw TokenFolderError(error)
        }
    }

    /// Names of accounts are of any letters and too long for a file's; their digests are not.
    private static func name(of account: AccountID) -> String {
        "tokens-\(Hex.encode(SHA256.hash(Array(account.text.utf8))))"
    }
}

/// A small text in the shared folder, and the lock beside it.
private struct TokenFile {
    let name: String

    /// Reads it; nil when there is none, or it is longer than any can be.
    func text(in folder: borrowing PrivateFolder) throws(VaultError) -> String? {
        do throws(VaultError) {
            return try folder.read(name, limit: Self.longest).map { String(decoding: $0, as: UTF8.self) }
        } catch {
            guard error.code == .corrupted else { throw error }
            return nil
        }
    }

    func tokens(in folder: borrowing PrivateFolder) throws(VaultError) -> AccountTokens? {
        try text(in: folder).flatMap(AccountTokens.init(text:))
    }

    /// Replaces it, or takes it away with nil; whoever does holds the lock.
    func replace(_ text: String?, in folder: borrowing PrivateFolder) throws(VaultError) {
        guard let text else { return try folder.remove(name) }
        try folder.replace(name, with: Array(text.utf8))
    }

    /// Takes the lock, however often it is held at first. Whoever has it may be waiting for a server's answer.
    func locked(in folder: borrowing PrivateFolder, _ patience: Duration) async throws(VaultError) -> FileLock {
        let end = ContinuousClock.now + patience
        while true {
            do throws(VaultError) {
                return try FileLock("\(name).lock", in: folder)
            } catch {
                guard error.code == .busy, ContinuousClock.now < end, !Task.isCancelled else { throw error }
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    private static let longest = 64 * 1024
}

/// The shared folder could not be used as it must.
public struct TokenFolderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What went wrong.
    public enum Code: String, Sendable, Hashable {
        /// Another process or task holds the account's lock for longer than there was patience.
        case busy
        /// The folder or a file cannot be read.
        case unreadable
        /// The folder or a file cannot be written.
        case unwritable
    }

    /// What went wrong.
    public let code: Code
    /// Which file or folder, why, and what to do about it.
    public let description: String

    init(_ error: VaultError) {
        code = error.code == .busy ? .busy : error.code == .unwritable ? .unwritable : .unreadable
        description = error.message
    }
}
