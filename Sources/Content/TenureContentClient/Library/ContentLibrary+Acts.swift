public import TenureClient
import TenureContent
import TenureCore
public import TenureFoundation

/// The result of an action that the user requested, such as adding or returning an item.
public enum ContentActAnswer: Sendable, Hashable {
    /// The action succeeded, and its result is on disk.
    case done
    /// The server refused the action, with the reasons and what the user can do.
    case refused(Explanation, RecoveryOption)
    /// The action couldn't be completed, for example because the server is unreachable.
    ///
    /// It can be retried.
    case unreached(Explanation)
}

/// One of the holder's devices.
public struct LibraryDevice: Sendable, Hashable, Identifiable {
    /// The device's id: 64 hexadecimal digits.
    public let id: String
    /// The device's own name; may be empty.
    public let name: String
    /// When the device last sent a request; `nil` if it has sent none.
    public let lastSeenAt: Date?
    /// The ids of the content items on the device.
    public let contents: [String]
    /// Whether this entry is the device on which the code runs.
    public let isThisOne: Bool
}

/// The result of listing or releasing the holder's devices.
public enum ContentDevicesAnswer: Sendable, Hashable {
    /// The holder's devices, including this one if it has licenses.
    case listed([LibraryDevice])
    /// The request failed; the value is never ``ContentActAnswer/done``.
    case failed(ContentActAnswer)
}

extension ContentLibrary {
    /// Fetches the list of content that the holder may use, and stores the list for offline use.
    public func refresh() async -> ContentActAnswer {
        guard let token = ledgerContents.token else { return .signIn }
        switch await service.contents(token: token.text) {
        case .unknown(let unreached): return .unreached(Explanation(.unreached(unreached)))
        case .refused(let no): return .refused(no)
        case .success(let offered):
            let entries = offered.compactMap { offer -> LedgerEntry? in
                var facts = ledgerContents.contents[offer.content] ?? ContentFacts(offer.content)
                (facts.title, facts.course) = (offer.title, offer.course)
                return facts == ledgerContents.contents[offer.content] ? nil : .content(facts)
            }
            // Removes refusals about the enrolment from items that are offered again without a reason against them.
            let cured = offered.filter { offer in
                offer.reasons.isEmpty && ledgerContents.fates[offer.content.text].map(\.isOfEnrolment) ?? false
            }
            let answer = written(entries + cured.map { .note(.fate($0.content.text, nil)) })
            await server.keepSignedIn()
            return answer
        }
    }

    /// Requests a license for a content item on this device.
    ///
    /// If the device already has a license for the item, that license stays as it is.
    public func add(_ name: String) async -> ContentActAnswer {
        guard let content = ContentID(name) else { return .refused(Explanation(Reason(.contentNotKept)), .support) }
        guard let token = ledgerContents.token else { return .signIn }
        service.keys.lookAnew()
        if let stored = ledgerContents[content], ledgerContents.isOwed(stored.grant.license),
            let problem = await server.giveBackOwed()
        {
            return .unreached(Explanation(Reason(problem)))
        }
        switch await service.license(content, request: service.newRequest(), token: token.text) {
        case .unknown(let unreached): return .unreached(Explanation(.unreached(unreached)))
        case .refused(let no):
            let update = ledgerContents.takingIn(ContentItemAnswer(no), about: content, settled: nil, at: now)
            _ = server.write([update])
            return .refused(no)
        case .success(let answer):
            var update = ledgerContents.takingIn(answer, about: content, settled: nil, at: now)
            if ledgerContents.contents[content] == nil { update.entries.append(.content(ContentFacts(content))) }
            if let problem = server.write([update]) { return .unreached(Explanation(problem)) }
            guard let no = Explanation(reasons: update.result.reasons) else { return .done }
            return .refused(no, RecoveryOption(for: no.decided, isMediaWhole: true))
        }
    }

    /// Gives a content item's license back to the server.
    ///
    /// The item stops playing on this device at once. The server learns of the return as soon as it can be reached.
    public func `return`(_ name: String) async -> ContentActAnswer {
        guard let content = ContentID(name), let stored = ledgerContents[content] else {
            return .refused(Explanation(Reason(.contentNotKept)), .support)
        }
        plays.end(stored.grant.license, because: nil)
        var ledger = ledgerContents.licenses[stored.grant.license]?.ledger ?? stored.ledger
        ledger.stop(.returned, at: now)
        let license = stored.grant.license.description
        let owed = ledgerContents.owed.filter { $0 != license } + [license]
        let entries: [LedgerEntry] = [
            .use(stored.grant.license, ledger, acknowledged: stored.acknowledged), .note(.owed(owed)),
        ]
        let answer = written(entries)
        guard case .done = answer else { return answer }
        await keys.updateKeys()
        guard let problem = await server.giveBackOwed() else { return .done }
        server.network.wake()
        return .unreached(Explanation(Reason(problem)))
    }

    /// Requests the list of the holder's devices from the server.
    public func devices() async -> ContentDevicesAnswer {
        guard let token = ledgerContents.token else { return .failed(.signIn) }
        return listed(await service.devices(token: token.text))
    }

    /// Releases another of the holder's devices, for example one that is lost, and returns the remaining devices.
    public func release(_ device: String) async -> ContentDevicesAnswer {
        guard let token = ledgerContents.token else { return .failed(.signIn) }
        return listed(await service.release(device, token: token.text))
    }

    private func listed(_ reply: ContentReply<[ListedDevice]>) -> ContentDevicesAnswer {
        switch reply {
        case .unknown(let unreached): return .failed(.unreached(Explanation(.unreached(unreached))))
        case .refused(let no): return .failed(.refused(no))
        case .success(let devices):
            let own = service.deviceName
            return .listed(
                devices.map { device in
                    LibraryDevice(
                        id: device.device, name: device.name,
                        lastSeenAt: device.lastSeenAt.map(Date.init),
                        contents: device.contents, isThisOne: device.device == own)
                })
        }
    }

    private func written(_ entries: [LedgerEntry]) -> ContentActAnswer {
        store.save(entries).map { .unreached(Explanation($0)) } ?? .done
    }
}

extension ContentActAnswer {
    static let signIn = ContentActAnswer.refused(Explanation(Reason(.signInNeeded)), .signIn)

    static func refused(_ no: ContentServerRefusal) -> ContentActAnswer {
        let reasons = no.reasons.map { Reason($0) }
        return .refused(
            Explanation(reasons) ?? Explanation(Reason(.contentUnreached)),
            RecoveryOption(for: reasons, isMediaWhole: true))
    }
}
