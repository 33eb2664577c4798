import TenureClient
import TenureContent
import TenureCore
public import TenureFoundation
import TenureThreads

/// Receives the results of a storage's renewals, on the main actor.
///
/// The names match those of Kollus's player.
@MainActor
public protocol ContentStorageDelegate: AnyObject {
    /// Reports how the renewal of an item ended, before the method with `cur` and `count` is called for it.
    ///
    /// - Parameters:
    ///   - storage: The storage that sends the message.
    ///   - request: `kind` 3 and `media_content_key`.
    ///   - json: `media_content_key` and `result`: 1 if the item was renewed or needed no renewal, and otherwise 0 with
    ///     `message`, and with `content_expired` or `content_delete` if the server stopped the item.
    ///   - error: Why it wasn't renewed, and what the user can do; `nil` after a success.
    func kollusStorage(
        _ storage: ContentStorage, request: [AnyHashable: Any], json: [AnyHashable: Any]?, error: (any Error)?)

    /// Reports that item `cur` of `count` was processed, in the order of ``ContentStorage/contents``.
    ///
    /// After ``ContentStorage/updateDownloadDRMInfo(_:)`` with `true`, `cur` is the item's position in that list, from
    /// 1. An error means that the item wasn't renewed.
    func kollusStorage(_ storage: ContentStorage, cur: Int32, count: Int32, error: (any Error)?)
}

/// A holder's library with the interface of Kollus's storage, for apps written for that interface.
///
/// Methods return at once, and the delegate receives the results. An app can define `KollusStorage`, `KollusContent`
/// and `KollusStorageDelegate` as aliases. The storage can be used on any thread; the delegate is called on the main
/// actor.
public final class ContentStorage: Sendable {
    private struct State {
        weak var listener: (any ContentStorageDelegate)?
        var contents: [ContentID: StoredContent] = [:]
        var renewing: Task<Void, Never>?
    }

    private let state = Monitor(State())
    private let library: ContentLibrary

    /// Creates a storage that presents a library's content.
    public init(_ library: ContentLibrary) { self.library = library }

    /// Receives the results of renewals; the storage doesn't retain it.
    public var delegate: (any ContentStorageDelegate)? {
        get { state.withLock { $0.listener } }
        set { state.withLock { $0.listener = newValue } }
    }

    /// Does nothing, because the content is available at once.
    ///
    /// It exists for apps that call it.
    public func start() async {}

    /// The items that have a license, by course and title.
    ///
    /// An item is the same object each time, as long as it keeps its license and title. Its properties change with the
    /// library.
    public var contents: [StoredContent] {
        let listed = library.reader.keptContents()
        return state.withLock { state in
            var contents: [ContentID: StoredContent] = [:]
            let list = listed.compactMap { facts -> StoredContent? in
                let old = state.contents[facts.content].flatMap { $0.title == facts.shownTitle ? $0 : nil }
                let content = old ?? StoredContent(facts, library.reader)
                contents[facts.content] = content
                return content
            }
            state.contents = contents
            return list
        }
    }

    /// Renews all licenses, or only those that have ended or are due, without waiting for the result.
    ///
    /// The delegate receives the result of each item. When `cur` equals `count`, all are done.
    public func updateDownloadDRMInfo(_ isAll: Bool) { updateDownloadDRMInfo(isAll, confirmed: false) }

    /// Renews licenses after the app asked the user about items with ``StoredContent/DRMExpireRefreshPopup``.
    ///
    /// Unless `confirmed` is `true`, those items are renewed only if ``ContentLibrary/askBeforeRenewing(_:)`` asks and
    /// the user agrees.
    public func updateDownloadDRMInfo(_ isAll: Bool, confirmed: Bool) {
        state.withLock { state in
            let earlier = state.renewing
            state.renewing = Task {
                await earlier?.value
                for await event in library.renew(
                    isAll ? .all : .due(within: 0), confirmed: confirmed, isInListOrder: true)
                {
                    guard case .progress(let progress) = event else { continue }
                    await tell(progress)
                }
            }
        }
    }

    /// Waits until the renewals started by ``updateDownloadDRMInfo(_:)`` are done.
    public func finishUpdates() async { await state.withLock { $0.renewing }?.value }

    /// Returns a text that tells developers that background downloads don't renew licenses.
    ///
    /// It changes no setting.
    ///
    /// See ``ContentLibrary/runInBackground()`` for background renewals.
    @discardableResult
    public func setBackgroundDownload(_ isOn: Bool) -> String {
        "Downloads \(isOn ? "go on" : "stop") in the background. Licenses are not renewed by that: renew them when the app "
            + "becomes active, before playing, or in a background task."
    }

    @MainActor
    private func tell(_ progress: RenewalProgress) {
        let error = ContentRenewalError(progress)
        let key = progress.content
        var json: [AnyHashable: Any] = ["result": error == nil ? 1 : 0, "media_content_key": key]
        if let error {
            json["message"] = error.message
            if progress.outcome == .terminal {
                let isDeleted = error.code == "content_license_deleted"
                json[isDeleted ? "content_delete" : "content_expired"] = 1
            }
        }
        delegate?.kollusStorage(self, request: ["kind": 3, "media_content_key": key], json: json, error: error)
        delegate?.kollusStorage(
            self, cur: Int32(clamping: progress.index + 1), count: Int32(clamping: progress.total), error: error)
    }
}

extension [StoredContent] {
    /// Returns the array itself, so that both `storage.contents()` and `storage.contents` compile.
    public func callAsFunction() -> [StoredContent] { self }
}

/// The error that a delegate receives for an item that wasn't renewed.
public struct ContentRenewalError: LocalizedError, Sendable, Hashable {
    /// The id of the content item that wasn't renewed.
    public let content: String
    /// The code of the first reason.
    public let code: String
    /// What happened, in one sentence for the user.
    public let message: String
    /// The option that helps the user most.
    public let recovery: RecoveryOption

    init?(_ progress: RenewalProgress) {
        guard let recovery = progress.recovery else { return nil }
        content = progress.content
        code = progress.explanation?.codes.first ?? progress.outcome.rawValue
        message = progress.explanation?.message ?? recovery.message()
        self.recovery = recovery
    }

    /// The message for the user, in their language.
    public var errorDescription: String? {
        let language = ContentLanguage(preferring: Locale.preferredLanguages)
        return code == Reason.Kind.renewalUnconfirmed.text
            ? language.texts.renewalUnconfirmed : recovery.message(in: language)
    }

    /// What happened, in one sentence; the same text as ``message``.
    public var failureReason: String? { message }

    /// The label of the button for ``recovery``, in the user's language.
    public var recoverySuggestion: String? {
        recovery.label(in: ContentLanguage(preferring: Locale.preferredLanguages))
    }
}

extension Explanation {
    /// The codes of the reasons, most specific first.
    var codes: [String] { reasons.map(\.code) }
}
