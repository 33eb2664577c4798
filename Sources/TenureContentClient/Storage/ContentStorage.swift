public import Foundation
import TenureClient
import TenureCore

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
/// a delegate that hears the rest. `KollusStorage`, `KollusContent` and `KollusStorageDelegate` are aliases that such an app
/// makes.
///
/// It may be used on any thread; the delegate is called on the main actor.
public final class ContentStorage: @unchecked Sendable {
    // Sendable by `lock`, which guards what changes; the delegate is called on the main actor alone.
    private let lock = NSLock()
    private let library: ContentLibrary
    private weak var listener: (any ContentStorageDelegate)?
    private var made: [ContentID: StoredContent] = [:]
    private var renewing: Task<Void, Never>?

    /// Stands before a library.
    public init(_ library: ContentLibrary) { self.library = library }

    /// Hears of renewals.
    public var delegate: (any ContentStorageDelegate)? {
        get { lock.withLock { listener } }
        set { lock.withLock { listener = newValue } }
    }

    /// Does nothing: what is kept is there without it. For apps that call it.
    public func start() async {}

    /// What is kept now, by course and title. A content is the same object each time for as long as it is kept, and its
    /// properties follow the library.
    public var contents: [StoredContent] {
        let kept = library.reader.keptContents()
        return lock.withLock {
            var contents: [ContentID: StoredContent] = [:]
            let list = kept.compactMap { facts -> StoredContent? in
                let old = made[facts.content].flatMap { $0.title == facts.shownTitle ? $0 : nil }
                let content = old ?? StoredContent(facts, library.reader)
                contents[facts.content] = content
                return content
            }
            made = contents
            return list
        }
    }

    /// Renews licenses: all of them, or those that have ended or are about to. Answers at once; the delegate hears of each
    /// content, and where the last was `count` of `count`, all is done.
    public func updateDownloadDRMInfo(_ isAll: Bool) { updateDownloadDRMInfo(isAll, confirmed: false) }

    /// The same after the app asked the person about contents with ``StoredContent/DRMExpireRefreshPopup``. Unconfirmed,
    /// those are renewed only if ``ContentLibrary/askBeforeRenewing(_:)`` asks and the person agrees.
    public func updateDownloadDRMInfo(_ isAll: Bool, confirmed: Bool) {
        lock.withLock {
            let earlier = renewing
            renewing = Task {
                await earlier?.value
                for await event in library.renew(isAll ? .all : .due(within: 0), confirmed: confirmed) {
                    guard case .progress(let progress) = event else { continue }
                    await tell(progress)
                }
            }
        }
    }

    /// Waits until what ``updateDownloadDRMInfo(_:)`` began is done.
    public func finishUpdates() async { await lock.withLock { renewing }?.value }

    /// Downloading media in the background renews no license, and the answer says so; see
    /// ``ContentLibrary/runInBackground()``.
    @discardableResult
    public func setBackgroundDownload(_ isOn: Bool) -> String {
        "Downloads \(isOn ? "go on" : "stop") in the background. Licenses are not renewed by that: renew them when the app "
            + "becomes active, before playing, or in a background task."
    }

    @MainActor
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

extension [StoredContent] {
    /// The contents themselves, so that code that calls `storage.contents()` and code that reads `storage.contents` both
    /// compile.
    public func callAsFunction() -> [StoredContent] { self }
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
        let language = ContentLanguage(preferring: Locale.preferredLanguages)
        guard code == Reason.Kind.renewalUnconfirmed.text else { return recovery.message(in: language) }
        return language == .korean ? "이 콘텐츠는 동의하신 후에만 갱신됩니다." : message
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
