public import Foundation
public import TenureClient
import TenureCore
import TenureVault

/// What came of something that a person asked for.
public enum ContentActAnswer: Sendable, Hashable {
    /// It is done.
    case done
    /// The server said no: why, and what a person may do.
    case refused(Explanation, RecoveryOption)
    /// Nobody could be asked, and why. It may be tried again.
    case unreached(Explanation)
}

/// A device of the holder's.
public struct LibraryDevice: Sendable, Hashable, Identifiable {
    /// 64 hexadecimal digits.
    public let id: String
    /// What it calls itself; may be empty.
    public let name: String
    /// When it asked last; nil when it never did.
    public let lastSeenAt: Date?
    /// What it keeps.
    public let contents: [String]
    /// Whether it is the one this runs on.
    public let isThisOne: Bool
}

/// What came of asking for the holder's devices.
public enum ContentDevicesAnswer: Sendable, Hashable {
    /// These.
    case listed([LibraryDevice])
    /// None, and why.
    case failed(ContentActAnswer)
}

extension ContentLibrary {
    /// Asks what the holder may keep, and lists it from then on, also offline.
    public func refresh() async -> ContentActAnswer {
        guard let token = shelf.token else { return .signIn }
        switch await service.contents(token: token.text) {
        case .unknown(let unreached): return .unreached(Explanation(.unreached(unreached)))
        case .no(let no): return .refused(no)
        case .yes(let offered):
            let entries = offered.compactMap { offer -> LedgerEntry? in
                var facts = shelf.contents[offer.content] ?? ContentFacts(offer.content)
                (facts.title, facts.course) = (offer.title, offer.course)
                return facts == shelf.contents[offer.content] ? nil : .content(facts)
            }
            // What an enrolment stood in the way of, it does no longer.
            let cured = offered.filter { offer in
                offer.reasons.isEmpty && shelf.fates[offer.content.text].map(\.isOfEnrolment) ?? false
            }
            let answer = written(entries + cured.map { .note(.fate($0.content.text, nil)) })
            await keepSignedIn()
            return answer
        }
    }

    /// Takes a license of a content for this device. What is kept already stays as it is, and no place is taken again.
    public func add(_ name: String) async -> ContentActAnswer {
        guard let content = ContentID(name) else { return .refused(Explanation(Reason(.contentNotKept)), .support) }
        guard let token = shelf.token else { return .signIn }
        service.keys.lookAnew()
        if let kept = shelf[content], shelf.isOwed(kept.grant.license), let problem = await giveBackOwed() {
            return .unreached(Explanation(Reason(problem)))
        }
        switch await service.license(content, request: newRequest(), token: token.text) {
        case .unknown(let unreached): return .unreached(Explanation(.unreached(unreached)))
        case .no(let no):
            let taken = shelf.takingIn(ContentItemAnswer(no), about: content, settled: nil, at: moment().now)
            _ = write([taken])
            return .refused(no)
        case .yes(let answer):
            var taken = shelf.takingIn(answer, about: content, settled: nil, at: moment().now)
            if shelf.contents[content] == nil { taken.entries.append(.content(ContentFacts(content))) }
            if let error = write([taken]) { return .unreached(Explanation(.unwritable(error))) }
            guard let no = Explanation(told: taken.result.reasons) else { return .done }
            return .refused(no, RecoveryOption(for: no.decided, isMediaWhole: true))
        }
    }

    /// Gives the license of a content back: it no longer plays here, at once, and the server is told as soon as it answers.
    public func `return`(_ name: String) async -> ContentActAnswer {
        guard let content = ContentID(name), let kept = shelf[content] else {
            return .refused(Explanation(Reason(.contentNotKept)), .support)
        }
        end(kept.grant.license, because: nil)
        var ledger = shelf.licenses[kept.grant.license]?.ledger ?? kept.ledger
        ledger.stop(.returned, at: moment().now)
        let license = kept.grant.license.description
        let owed = shelf.owed.filter { $0 != license } + [license]
        let entries: [LedgerEntry] = [.use(kept.grant.license, ledger, known: kept.known), .note(.owed(owed))]
        guard case .done = written(entries) else { return written(entries) }
        await settleKeys()
        guard let problem = await giveBackOwed() else { return .done }
        wake()
        return .unreached(Explanation(Reason(problem)))
    }

    /// Tells the server what was given back; answers what keeps it from hearing.
    ///
    /// A license stays owed until the server says for good that it is not held here, or that it knows none such: what else
    /// it says, or who else answers, gives no place back.
    func giveBackOwed() async -> ToldReason? {
        guard !shelf.owed.isEmpty else { return nil }
        // A license that is gone can report nothing any more.
        if let problem = await reportUse() { return problem }
        guard let token = shelf.token else { return ToldReason(Reason(.signInNeeded)) }
        var problem: ToldReason?
        for text in shelf.owed {
            guard let license = ContentLicenseID(text: text) else { continue }
            switch await service.giveBack(license, request: newRequest(), token: token.text) {
            case .unknown(let unreached):
                wantNetwork(unreached)
                return ToldReason(.unreached(unreached))
            case .no(let no) where no.reasons.first?.code != Reason.Kind.contentLicenseUnknown.text:
                // About the request or the token, so it is the same for the others.
                return no.reasons.first
            case .yes(let answer) where !answer.isOver(license):
                problem = problem ?? answer.reasons.first ?? .unverifiedAnswer
            case .yes, .no:
                let left = shelf.owed.filter { $0 != text }
                guard case .done = written([.gone(license), .note(.owed(left))]) else { return problem }
            }
        }
        return problem
    }

    /// Lists the holder's devices.
    public func devices() async -> ContentDevicesAnswer {
        guard let token = shelf.token else { return .failed(.signIn) }
        return listed(await service.devices(token: token.text))
    }

    /// Releases another of the holder's devices, lost or broken; answers those that are left.
    public func release(_ device: String) async -> ContentDevicesAnswer {
        guard let token = shelf.token else { return .failed(.signIn) }
        return listed(await service.release(device, token: token.text))
    }

    private func listed(_ reply: ContentReply<[ListedDevice]>) -> ContentDevicesAnswer {
        switch reply {
        case .unknown(let unreached): return .failed(.unreached(Explanation(.unreached(unreached))))
        case .no(let no): return .failed(.refused(no))
        case .yes(let devices):
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
        do throws(VaultError) {
            if !entries.isEmpty { try commit(entries) }
            return .done
        } catch {
            return .unreached(Explanation(.unwritable(error)))
        }
    }
}

extension ContentActAnswer {
    static let signIn = ContentActAnswer.refused(Explanation(Reason(.signInNeeded)), .signIn)

    static func refused(_ no: ContentNo) -> ContentActAnswer {
        let reasons = no.reasons.map { Reason($0) }
        let first = reasons.first ?? Reason(.contentUnreached)
        return .refused(
            Explanation(first, Array(reasons.dropFirst())), RecoveryOption(for: reasons, isMediaWhole: true))
    }
}

extension ContentItemAnswer {
    /// Whether it says of a license, for good, that it is not held here.
    fileprivate func isOver(_ license: ContentLicenseID) -> Bool {
        outcome == .terminal && self.license == license || isOfUnknownLicense
    }
}
