public import TenureFoundation

/// The result of an action that the user requested.
public enum LicenseAnswer: Sendable, Hashable {
    /// The action succeeded; the manager's state has been updated.
    case done
    /// The server refused, for the given reasons.
    ///
    /// Nothing has changed, except that a trial that was started offline ends if the server refuses it.
    case refused(Explanation)
    /// The server couldn't be reached, for the given reasons.
    ///
    /// Nothing has changed, and it is safe to try again.
    case unreached(Explanation)
}

extension LicenseAnswer {
    func localized(_ style: TextStyle) -> LicenseAnswer {
        switch self {
        case .done: .done
        case .refused(let why): .refused(why.localized(style))
        case .unreached(let why): .unreached(why.localized(style))
        }
    }
}

/// An error of the app's environment or settings, as opposed to an answer from the server.
public struct LicenseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of errors, as stable codes.
    public enum Code: String, Sendable, Hashable {
        /// The record can't be written.
        ///
        /// If a license was being activated, the activation has been or will be released.
        case notStored = "not_stored"
        /// The record can't be read, so nothing was changed and no request was sent.
        case notRead = "not_read"
        /// The app's settings are invalid, such as the server's URL, a key or a name.
        case misconfigured
        /// The device has no identifier that the license could be bound to.
        case noDevice = "no_device"
    }

    /// The kind of error, for programs to branch on.
    public let code: Code
    /// What went wrong and what to do about it, for developers and logs.
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The same text as ``message``.
    public var description: String { message }
}

extension LicenseError: LocalizedError {
    /// The domain of the `NSError` that these errors are bridged to.
    public static let errorDomain = "tenure.license"

    /// A stable number: 1 `.notStored`, 2 `.notRead`, 3 `.misconfigured`, 4 `.noDevice`.
    public var errorCode: Int {
        switch code {
        case .notStored: 1
        case .notRead: 2
        case .misconfigured: 3
        case .noDevice: 4
        }
    }

    /// What went wrong, in one sentence for users and in their language; details for developers are in ``message``.
    public var errorDescription: String? { texts().message }

    /// The remedy, in one sentence for users and in their language.
    public var recoverySuggestion: String? { texts().cure }

    /// The texts for users in the first of their languages that the client has.
    func texts(in language: TextLanguage = TextLanguage(preferring: [])) -> TextPair {
        language.texts["error.\(code.rawValue)"] ?? english
    }

    private var english: TextPair {
        switch code {
        case .notStored:
            TextPair(
                "The license couldn't be saved on this device.",
                "Free some disk space, allow the app to write its files, and try again.")
        case .notRead:
            TextPair(
                "The license on this device can't be read.", "Allow the app to read its files, then start it again.")
        case .misconfigured:
            TextPair("This app's license settings aren't valid.", "Update the app, or ask its vendor.")
        case .noDevice:
            TextPair("This device can't be identified.", "Ask the app's vendor how to identify this device.")
        }
    }
}
