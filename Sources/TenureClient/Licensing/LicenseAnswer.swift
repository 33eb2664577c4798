public import Foundation

/// What came of something that a person asked for.
public enum LicenseAnswer: Sendable, Hashable {
    /// It is done; the manager's state says what follows.
    case done
    /// The server said no, and why. Nothing here was changed, but a trial that it refuses is over.
    case refused(Explanation)
    /// Nobody could be asked, and why. Nothing here was changed; it may be tried again at any time.
    case unreached(Explanation)
}

/// Why something that was done could not be kept.
public struct LicenseError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Which promise was broken.
    public enum Code: String, Sendable, Hashable {
        /// The record cannot be written. An activation was given back to the server, or will be.
        case notStored = "not_stored"
        /// The record cannot be read, so nothing is changed and nobody was asked.
        case notRead = "not_read"
        /// The app's own settings cannot be used: a server's URL, a key, a name.
        case misconfigured
        /// The device has nothing that it can be recognized by.
        case noDevice = "no_device"
    }

    /// The broken promise; programs branch on this.
    public let code: Code
    /// What went wrong and what to do about it.
    public let message: String

    /// Words an error.
    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// What went wrong and what to do, without the code.
    public var description: String { message }
}

extension LicenseError: LocalizedError, CustomNSError {
    /// The domain of these errors where they are an `NSError`.
    public static let errorDomain = "tenure.license"

    /// A number for each code, which stays: 1 `.notStored`, 2 `.notRead`, 3 `.misconfigured`, 4 `.noDevice`.
    public var errorCode: Int {
        switch code {
        case .notStored: 1
        case .notRead: 2
        case .misconfigured: 3
        case .noDevice: 4
        }
    }

    /// What went wrong, in a sentence for people; what the system or the developer has to know is in ``message``.
    public var errorDescription: String? {
        switch code {
        case .notStored: "The license could not be saved on this device."
        case .notRead: "The license on this device cannot be read."
        case .misconfigured: "This app's license settings cannot be used."
        case .noDevice: "This device cannot be recognized."
        }
    }

    /// What would help, in a sentence for people.
    public var recoverySuggestion: String? {
        switch code {
        case .notStored: "Make room on the disk, let the app write its files, and try again."
        case .notRead: "Let the app read its files, then start it again."
        case .misconfigured: "Update the app, or ask its vendor."
        case .noDevice: "Ask the app's vendor how to name this device."
        }
    }
}
