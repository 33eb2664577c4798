public import Foundation
import TenureClient

/// Hears of renewals, by the names that apps written for Kollus's player have; all on the main actor.
@MainActor
public protocol ContentStorageDelegate: AnyObject {
    /// A content was not renewed, or was stopped. With an error: why, and what a person may do.
    /// - Parameters:
    ///   - request: `kind` 3 and `media_content_key`.
    ///   - json: `result` 0 or 1, `message`, and `content_expired` or `content_delete` where the server stopped it.
    func kollusStorage(
        _ storage: ContentStorage, request: [AnyHashable: Any], json: [AnyHashable: Any]?, error: (any Error)?)

    /// One content of a renewal was answered: `cur` of `count`. With an error: that one was not renewed.
    func kollusStorage(_ storage: ContentStorage, cur: Int32, count: Int32, error: (any Error)?)
}

/// A holder's library in the shape of Kollus's storage, for apps that are written for it: methods that answer at once, and
/// a delegate that hears the rest. `KollusStorage` and `KollusContent` are aliases that such an app makes.
@MainActor
public final class ContentStorage {
    /// Hears of renewals.
    public weak var delegate: (any ContentStorageDelegate)?

    private let library: ContentLibrary
    private var kept: [StoredContent] = []
    /// Where each content stands in what is kept; empty when that is to be found anew.
    private var places: [String: Int] = [:]
    private var renewing: Task<Void, Never>?

    /// Stands before a library; nothing is there before ``start()``.
    public init(_ library: ContentLibrary) { self.library = library }

    /// Looks what is kept.
    public func start() async {
        kept = await library.stored()
        places = [:]
    }

    /// What is kept, as it was looked at last: at the start, and after each renewal.
    public func contents() -> [StoredContent] { kept }

    /// Renews licenses: all of them, or those that have ended or are about to. Answers at once; the delegate hears of each
    /// content, and where the last was `count` of `count`, all is done.
    public func updateDownloadDRMInfo(_ isAll: Bool) {
        let earlier = renewing
        renewing = Task {
            await earlier?.value
            for await event in library.renew(isAll ? .all : .due(within: 0)) {
                guard case .progress(let progress) = event else { continue }
                look(at: progress.content, await library.stored(progress.content))
                tell(progress)
            }
            await start()
        }
    }

    /// Waits until what ``updateDownloadDRMInfo(_:)`` began is done.
    public func finishUpdates() async { await renewing?.value }

    /// Downloading media in the background renews no license, and the answer says so; see
    /// ``ContentLibrary/runInBackground()``.
    @discardableResult
    public func setBackgroundDownload(_ isOn: Bool) -> String {
        "Downloads \(isOn ? "go on" : "stop") in the background. Licenses are not renewed by that: renew them when the app "
            + "becomes active, before playing, or in a background task."
    }

    /// Takes in one content as it is now: of a renewal of many, each is looked at once.
    private func look(at name: String, _ content: StoredContent?) {
        if places.isEmpty {
            places = Dictionary(kept.enumerated().map { ($1.mediaContentKey, $0) }) { first, _ in first }
        }
        switch (places[name], content) {
        case (let place?, let content?): kept[place] = content
        // What came or went is for the look at the whole, at the end.
        default: break
        }
    }

    private func tell(_ progress: RenewalProgress) {
        let error = ContentRenewalError(progress)
        if let error {
            let key = progress.content
            var json: [AnyHashable: Any] = ["result": 0, "message": error.message, "media_content_key": key]
            if progress.outcome == .terminal {
                let isDeleted = error.code == "content_license_deleted"
                json[isDeleted ? "content_delete" : "content_expired"] = 1
            }
            delegate?.kollusStorage(
                self, request: ["kind": 3, "media_content_key": key], json: json, error: error)
        }
        delegate?.kollusStorage(
            self, cur: Int32(clamping: progress.index + 1), count: Int32(clamping: progress.total), error: error)
    }
}

/// Why a content was not renewed, with what a person may do.
public struct ContentRenewalError: LocalizedError, Sendable, Hashable {
    /// Which content.
    public let content: String
    /// The code of the first reason.
    public let code: String
    /// What happened, in one sentence for people.
    public let message: String
    /// What a person may do.
    public let recovery: RecoveryOption

    init?(_ progress: RenewalProgress) {
        guard let recovery = progress.recovery else { return nil }
        content = progress.content
        code = progress.explanation?.codes.first ?? progress.outcome.rawValue
        message = progress.explanation?.message ?? recovery.message()
        self.recovery = recovery
    }

    /// What a person is told, in their language.
    public var errorDescription: String? {
        recovery.message(in: ContentLanguage(preferring: Locale.preferredLanguages))
    }

    /// Why, in one sentence.
    public var failureReason: String? { message }

    /// What the button says.
    public var recoverySuggestion: String? {
        recovery.label(in: ContentLanguage(preferring: Locale.preferredLanguages))
    }
}

extension Explanation {
    /// The codes of the reasons, in order.
    var codes: [String] { reasons.map(\.code) }
}
