public import TenureCore
import TenureCrypto
import TenureFormats
import TenureVault

/// The tokens of accounts in a folder that an app and its extension share.
///
/// A refresh token works once. A server that receives it twice assumes theft and ends the sign-in. Therefore, a refresh
/// first takes the account's file lock. The refresh contacts the server only if no other process has already stored a
/// new token.
public struct TokenFolder: Sendable, Hashable {
    /// The folder's path.
    ///
    /// The folder is created if it doesn't exist. It must belong to this user and must not be writable by others.
    public let path: String

    /// Creates a value for a path, without reading or creating anything.
    public init(path: String) {
        self.path = path
    }

    /// Reads an account's tokens; `nil` if none are stored or the file is damaged.
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

    /// Stores an account's tokens after a sign-in, or removes them if `tokens` is `nil`.
    ///
    /// If a refresh of the account is in progress, this waits until it has finished.
    ///
    /// Throws: `.busy` if the refresh is still in progress after `timeout`; `.unwritable`.
    public func keep(
        _ tokens: AccountTokens?, of account: AccountID, timeout: Duration = .seconds(30)
    ) async throws(TokenFolderError) {
        let file = TokenFile(name: Self.name(of: account))
        do throws(VaultError) {
            let folder = try PrivateFolder.creating(path)
            let lock = try await file.locked(in: folder, timeout)
            try file.replace(tokens?.text, in: folder)
            _ = consume lock
        } catch {
            throw TokenFolderError(error)
        }
    }

    /// Replaces an access token that the server rejected.
    ///
    /// While `exchange` runs, the account is locked against all other processes and tasks. `exchange` is called at most
    /// once. New tokens are stored durably before this returns.
    ///
    /// - Parameters:
    ///   - refused: The access token that the server rejected.
    ///   - exchange: Sends the refresh token to the server; it should have a timeout.
    /// - Throws: `.busy` if the lock isn't free after `timeout`; `.unreadable`; `.unwritable`, in which case new tokens
    ///   are lost.
    public func refresh(
        _ account: AccountID, refused: String, timeout: Duration = .seconds(30),
        exchange: @Sendable (String) async -> TokenExchange
    ) async throws(TokenFolderError) -> TokenRefresh {
        let file = TokenFile(name: Self.name(of: account))
        do throws(VaultError) {
            let folder = try PrivateFolder.creating(path)
            let lock = try await file.locked(in: folder, timeout)
            guard let tokens = try file.tokens(in: folder) else { return .signIn }
            guard tokens.access == refused else { return .use(tokens.access) }
            guard let refresh = tokens.refresh else { return .signIn }
            let outcome: TokenRefresh
            switch await exchange(refresh) {
            case .successor(var successor):
                successor.refresh = successor.refresh ?? refresh
                try file.replace(successor.text, in: folder)
                outcome = .use(successor.access)
            case .refused:
                try file.replace(AccountTokens(access: tokens.access, endsAt: tokens.endsAt).text, in: folder)
                outcome = .signIn
            case .unanswered: outcome = .later
            }
            _ = consume lock
            return outcome
        } catch {
            throw TokenFolderError(error)
        }
    }

    /// Reads the ledger of failures, applies a change, and stores the result under a lock.
    ///
    /// The app and its extension thus share one retry budget. A ledger that can't be parsed is replaced by an empty
    /// one.
    ///
    /// Throws: `.busy` if the lock isn't free after `timeout`; `.unreadable`; `.unwritable`.
    public func changeLedger<Result>(
        timeout: Duration = .seconds(5), _ change: (inout FailureLedger) -> Result
    ) async throws(TokenFolderError) -> Result {
        let file = TokenFile(name: "failures")
        do throws(VaultError) {
            let folder = try PrivateFolder.creating(path)
            let lock = try await file.locked(in: folder, timeout)
            let failures = try file.text(in: folder).flatMap(FailureLedger.init(text:)) ?? FailureLedger()
            var ledger = failures
            let result = change(&ledger)
            if ledger != failures { try file.replace(ledger.text, in: folder) }
            _ = consume lock
            return result
        } catch {
            throw TokenFolderError(error)
        }
    }

    /// Returns the name of an account's file: the hash of its id.
    ///
    /// An id may contain any character and exceed the length limit of file names.
    private static func name(of account: AccountID) -> String {
        "tokens-\(Hex.encode(SHA256.hash(Array(account.text.utf8))))"
    }
}

/// A small text file in the shared folder, with a lock file for it.
private struct TokenFile {
    let name: String

    /// Reads the file; `nil` if it is missing or longer than the limit.
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

    /// Replaces the file, or removes it if `text` is `nil`; the caller must hold the lock.
    func replace(_ text: String?, in folder: borrowing PrivateFolder) throws(VaultError) {
        guard let text else { return try folder.remove(name) }
        try folder.replace(name, with: Array(text.utf8))
    }

    /// Acquires the lock, retrying every 20 ms until `timeout` has passed.
    ///
    /// The process that holds the lock may be waiting for a server's response.
    func locked(in folder: borrowing PrivateFolder, _ timeout: Duration) async throws(VaultError) -> FileLock {
        let end = ContinuousClock.now + timeout
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

/// An error that prevents the use of the shared folder.
public struct TokenFolderError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors, as stable codes.
    public enum Code: String, Sendable, Hashable {
        /// Another process or task held the lock for longer than `timeout`.
        case busy
        /// The folder or a file can't be read.
        case unreadable
        /// The folder or a file can't be written.
        case unwritable
    }

    /// The kind of error, for programs to branch on.
    public let code: Code
    /// The file or folder that failed, the cause, and a remedy.
    public let description: String

    init(_ error: VaultError) {
        code = error.code == .busy ? .busy : error.code == .unwritable ? .unwritable : .unreadable
        description = error.message
    }
}
