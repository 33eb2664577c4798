import Foundation
import TenureClient
import TenureContent
import TenureCore
import TenureHTTP
import TenureHTTPClient
import Testing

@testable import TenureContentClient

/// Renewals of 300 items. The server refuses every fifth, for seven different reasons.
@Suite struct BulkRenewalTests {
    static let count = 300

    /// The server's treatment of an item, which depends on the item's number.
    enum Fate: Int, CaseIterable {
        case paused, ended, usedUp, revoked, deleted, unknown, tryAgain

        init?(_ number: Int) {
            guard number.isMultiple(of: 5), let fate = Fate(rawValue: number / 5 % Self.allCases.count) else {
                return nil
            }
            self = fate
        }

        var text: (RenewalOutcome, String, RecoveryOption) {
            switch self {
            case .paused: (.refused, "enrolment_paused", .support)
            case .ended: (.refused, "enrolment_ended", .support)
            case .usedUp: (.refused, "plays_used_up", .support)
            case .revoked: (.terminal, "content_license_revoked", .support)
            case .deleted: (.terminal, "content_license_deleted", .support)
            case .unknown: (.invalid, "content_license_unknown", .retry)
            case .tryAgain: (.transient, "try_again", .retry)
            }
        }
    }

    /// Returns a tablet with 300 items, and a server that has since changed the state of some of them.
    static func tablet() async throws -> (Tablet, ContentLibrary) {
        let tablet = Tablet()
        let library = try await tablet.open()
        let now = tablet.clock.truth
        for number in 1...count {
            let content = Given.content(number)
            tablet.server.with { server in
                _ = server.enrol("mia", content, at: now) {
                    $0.grantedPlays = 2
                    if Fate(number) == .usedUp { $0.onRenewal = .carry }
                }
            }
            #expect(await library.add(content.text) == .done)
        }
        tablet.server.with { server in
            for number in 1...count {
                guard let fate = Fate(number), let license = server.license("mia", Given.content(number)) else {
                    continue
                }
                switch fate {
                case .paused: server.set(license.enrolment, .paused, at: now)
                case .ended: server.set(license.enrolment, .ended, at: now)
                case .usedUp:
                    let reports = [UInt64(1), 2].compactMap { session in
                        SessionReport(
                            license: license.id, version: 1, session: Given.session(session), sequence: 1,
                            startedAt: now,
                            playSeconds: 1, isCounted: true, isEnded: true)
                    }
                    _ = server.settle(reports, "mia", at: now)
                case .revoked: server.stop(license.id, .revoked, at: now)
                case .deleted: server.stop(license.id, .deleted, at: now)
                case .unknown:
                    server.licenses[license.id] = nil
                    server.enrolments[license.enrolment] = nil
                case .tryAgain: server.busy.insert(license.id)
                }
            }
        }
        return (tablet, library)
    }

    private func check(_ items: [RenewalProgress]) {
        #expect(items.map(\.index) == Array(0..<Self.count))
        #expect(items.allSatisfy { $0.total == Self.count })
        #expect(Set(items.map(\.content)).count == Self.count)
        for item in items {
            guard let number = Int(item.content.dropFirst(4)) else { continue }
            guard let fate = Fate(number)?.text else {
                #expect(item.outcome == .renewed && item.explanation == nil && item.recovery == nil)
                continue
            }
            #expect(item.outcome == fate.0, "\(item.content)")
            #expect(item.explanation?.codes.first == fate.1)
            #expect(item.recovery == fate.2)
        }
    }

    @Test func `a bulk renewal reports each item once, in order, with its outcome and recovery option`() async throws {
        let (tablet, library) = try await Self.tablet()
        let (progress, report) = await library.renewal(.all)
        check(progress)
        #expect(report?.items == progress)
        #expect(report?.count(.renewed) == Self.count - progress.count { $0.outcome != .renewed })
        #expect(tablet.server.with { $0.requestedItems.map(\.count) } == [100, 100, 100])
        for number in 1...Self.count {
            switch Fate(number) {
            case nil: #expect(await library.kept(number)?.grant.version == 2)
            case .revoked: #expect(await library.status(number) == .revoked)
            case .deleted: #expect(await library.status(number) == .deleted)
            case .usedUp: #expect(await library.status(number) == .playsUsedUp)
            default: #expect(await library.status(number) == .valid)
            }
        }
    }

    @Test(arguments: 1...3)
    func `a bulk renewal interrupted by a crash resumes, and the device has the server's grants afterwards`(
        chunk: Int
    ) async throws {
        let (tablet, library) = try await Self.tablet()
        // The app crashes while the response to this chunk is on its way: the server has processed the chunk, and the
        // disk doesn't have its results.
        let disk = try #require(tablet.disks["mia"])
        let fallen = CrashedDisk()
        tablet.server.watch { request in
            if request.url.hasSuffix("/renewals"), fallen.count() == chunk { fallen.keep(disk.bytes) }
        }
        _ = await library.renewal(.all)
        tablet.server.watch(nil)
        let again = try await tablet.open(on: fallen.bytes)
        let (rest, report) = await again.renewal(.all)
        check(rest)
        #expect(report?.items.count == Self.count)
        #expect(report?.isCancelled == false)
        for number in 1...Self.count where Fate(number) == nil {
            let content = Given.content(number)
            #expect(await again.kept(number)?.grant == tablet.server.with { $0.license("mia", content)?.present })
        }
        #expect(await again.ledgerContents.job == nil)
    }

    @Test func `cancelling the listener of a bulk renewal ends the renewal after the current chunk`() async throws {
        let (tablet, library) = try await Self.tablet()
        let opener = tablet.server.hold()
        let listening = Task { for await _ in library.renew(.all) {} }
        await library.until { _ in tablet.server.isHolding }
        listening.cancel()
        await library.until { $0.renewals.running?.isAbandoned == true }
        opener.finish()
        await library.until { $0.renewals.running == nil }
        #expect(tablet.server.with { $0.requestedItems.map(\.count) } == [100])
        #expect(await library.ledgerContents.job == nil)
        var renewed = 0
        for number in 1...Self.count where await library.kept(number)?.grant.version == 2 { renewed += 1 }
        let requests = tablet.server.with { $0.requestedItems.first ?? [] }
        #expect(renewed == requests.count { Fate(Int($0.dropFirst(4)) ?? 0) == nil })
    }
}

/// The disk's bytes at the simulated crash, and the number of renewal requests until then.
final class CrashedDisk: @unchecked Sendable {
    // Sendable because `lock` guards both properties.
    private let lock = NSLock()
    private var requests = 0
    private var stored: [UInt8]?

    func count() -> Int {
        lock.withLock {
            requests += 1
            return requests
        }
    }

    var hasCounted: Bool { lock.withLock { requests > 0 } }

    func keep(_ bytes: [UInt8]?) { lock.withLock { stored = bytes } }

    var bytes: [UInt8]? { lock.withLock { stored } }
}

extension ContentLibrary {
    /// Yields until a condition holds. Records an issue after two million attempts.
    func until(_ isSo: @Sendable (isolated ContentLibrary) -> Bool) async {
        for _ in 0..<2_000_000 {
            if isSo(self) { return }
            await Task.yield()
        }
        Issue.record("the condition never became true")
    }
}
