import Foundation
import TenureClient
import TenureContent
import TenureCore
import TenureHTTP
import TenureHTTPClient
import Testing

@testable import TenureContentClient

@Suite struct ContentLibraryTests {
    @Test func `each content status has an SDK offline status with the same name and playability`() {
        #expect(OfflineStatus.allCases.dropLast().map(\.rawValue) == ContentStatus.allCases.map(\.rawValue))
        for status in ContentStatus.allCases {
            #expect(OfflineStatus(rawValue: status.rawValue)?.isPlayable == status.isPlayable)
        }
        #expect(RenewalOutcome.allCases.map(\.rawValue) == ContentAnswer.Outcome.allCases.map(\.rawValue))
    }

    @Test func `added content is available after a restart without a network`() async throws {
        let tablet = Tablet()
        let library = try await tablet.open()
        tablet.server.with { server in
            for number in 1...3 { server.enrol("mia", Given.content(number), at: Given.now) { $0.grantedPlays = 2 } }
        }
        #expect(await library.refresh() == .done)
        #expect(await library.contents().map(\.status) == [.notKept, .notKept, .notKept])
        #expect(await library.add("mck-2") == .done)
        tablet.server.set(.noNetwork)
        let again = try await tablet.open()
        let content = try #require(await again.content("mck-2"))
        #expect(content.title == "Title of mck-2")
        #expect(content.status == .valid)
        #expect(content.playsLeft == 2)
        #expect(await again.content("mck-1")?.status == .notKept)
    }

    @Test func `each request except those for the server's time sends the person's preferred languages`() async throws {
        let tablet = Tablet()
        let languages = Removed()
        tablet.server.watch { request in
            if !request.url.contains("/time?") { languages.add(request.headers["Accept-Language"] ?? "none") }
        }
        let library = try await tablet.filled(1...1)
        #expect(await library.refresh() == .done)
        #expect(Set(languages.all) == [Locale.preferredLanguages.prefix(8).joined(separator: ", ")])
    }

    @Test func `content without an open enrolment is refused with the reason, and the refusal is stored`() async throws
    {
        let tablet = Tablet()
        let library = try await tablet.open()
        guard case .refused(let why, let option) = await library.add("mck-9") else {
            Issue.record("no enrolment covers it")
            return
        }
        #expect(why.codes == ["enrolment_unknown"])
        #expect(option == .support)
        tablet.server.with { server in
            server.set(server.enrol("mia", Given.content(9), at: Given.now), .paused, at: Given.now)
        }
        #expect(await library.refresh() == .done)
        #expect(await library.add("mck-9").refused?.0.codes == ["enrolment_paused"])
        let again = try await tablet.open()
        #expect(await again.content("mck-9")?.lastNo?.codes == ["enrolment_paused"])
        #expect(await again.content("mck-9")?.recovery == .support)
    }

    @Test func `a stored refusal is removed when the server's content list says that the item is available`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...2)
        func set(_ state: Enrolment.State) {
            for number in 1...2 {
                tablet.server.with { server in
                    guard let license = server.license("mia", Given.content(number)) else { return }
                    server.set(license.enrolment, state, at: Given.now)
                }
            }
        }
        set(.paused)
        tablet.clock.pass(60)
        _ = await library.renewal(.all)
        let refused = try #require(await library.content("mck-1"))
        #expect(refused.lastNo?.codes == ["enrolment_paused"])
        #expect(refused.lastNoAt == Date(tablet.clock.truth))
        #expect(await library.refresh() == .done)
        #expect(await library.content("mck-1")?.lastNo != nil, "the content list says that it is paused")
        set(.open)
        #expect(await library.refresh() == .done)
        for content in await library.contents() { #expect(content.lastNo == nil && content.lastNoAt == nil) }
        #expect(await library.forecast(.all).refused.isEmpty)
    }

    @Test func `a listener of the content library receives an item's new values at each change`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) { $0.grantedPlays = 2 }
        var changes = await library.changes.makeAsyncIterator()
        let playback = try await library.playing(1)
        #expect(await changes.next()?.playsLeft == 2)
        await playback.shown()
        #expect(await changes.next()?.playsLeft == 1)
    }

    @Test func `two holders on one device neither see nor use up each other's licenses`() async throws {
        let tablet = Tablet()
        let mia = try await tablet.filled(1...2, "mia") { $0.grantedPlays = 1 }
        let noa = try await tablet.filled(2...3, "noa") { $0.grantedPlays = 1 }
        #expect(Set(await mia.contents().map(\.id)) == ["mck-1", "mck-2"])
        #expect(Set(await noa.contents().map(\.id)) == ["mck-2", "mck-3"])
        let playback = try await mia.playing(2)
        await playback.shown()
        await playback.end()
        #expect(await mia.content("mck-2")?.playsLeft == 0)
        #expect(await noa.content("mck-2")?.playsLeft == 1)
        _ = await mia.renewal(.all)
        _ = await noa.renewal(.all)
        let used = tablet.server.with { server in
            ["mia", "noa"].map { server.license($0, Given.content(2))?.present.version }
        }
        #expect(used == [2, 2])
        #expect(await noa.content("mck-1") == nil)
        // A ledger that was copied over another holder's can't be opened by that holder.
        let copied = try await tablet.open("noa", on: tablet.disks["mia"]?.bytes)
        #expect(await copied.contents().isEmpty)
        #expect(await copied.problem?.codes == ["ledger_damaged"])
    }

    @Test func `content returned offline can't be played, and the server receives the return once it can be reached`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1) { $0.grantedPlays = 2 }
        tablet.server.set(.noNetwork)
        guard case .unreached = await library.return("mck-1") else {
            Issue.record("the request succeeded without a network")
            return
        }
        #expect(await library.status(1) == .returned)
        #expect(await library.play("mck-1").refused?.0.codes.first == "content_license_returned")
        tablet.server.set(.clear)
        let again = try await tablet.open()
        await again.networkMayBeBack()
        #expect(await again.status(1) == .notKept)
        let content = Given.content(1)
        #expect(tablet.server.with { $0.license("mia", content)?.state } == .returned)
        #expect(await again.add("mck-1") == .done)
    }

    @Test func `media of deleted content are removed, and media of expired content aren't`() async throws {
        let tablet = Tablet()
        let library = try await tablet.filled(1...3)
        for number in 1...3 {
            let path = number == 3 ? "/gone" : "/film-\(number)"
            try await library.tell(media: MediaFile(content: "mck-\(number)", path: path, bytes: 5))
        }
        #expect(await library.play("mck-3").refused?.1 == .redownload)
        #expect(await library.content("mck-3")?.recovery == .redownload)
        tablet.server.with { server in
            guard let license = server.license("mia", Given.content(1)) else { return }
            server.stop(license.id, .deleted, at: Given.now)
        }
        let progress = await library.renewal(.items(["mck-1"])).progress
        #expect(progress.map(\.recovery) == [.support])
        tablet.clock.pass(31 * 86_400)
        tablet.server.set(.noNetwork)
        _ = await library.renewal(.expired)
        #expect(await library.status(2) == .dateOver)
        #expect(tablet.removed.all == ["mck-1"])
        #expect(await library.content("mck-1")?.status == .deleted)
    }

    @Test func `each recovery option has a label in each language, and messages that differ between the languages`() {
        #expect(
            RecoveryOption.retry.message()
                == "License renewal failed. Please check your network connection or re-download the content.")
        for option in RecoveryOption.allCases {
            let messages = Set(ContentLanguage.allCases.map { option.message(in: $0) })
            #expect(messages.count == ContentLanguage.allCases.count, "two languages have the same message")
            #expect(ContentLanguage.allCases.allSatisfy { !option.label(in: $0).isEmpty })
        }
        #expect(ContentLanguage(preferring: ["nl", "ko-KR", "en"]) == .korean)
        #expect(ContentLanguage(preferring: ["nl"]) == .english)
        #expect(ContentLanguage(preferring: ["zh-Hant-HK", "zh-Hans-CN"]) == .simplifiedChinese)
        #expect(Set(ContentLanguage.allCases.map(\.rawValue)) == Set(Language.allCases.map(\.rawValue)))
    }

    @Test func `every problem offers retry, re-download and support, the most helpful one first`() {
        let listed: [RecoveryOption: [RecoveryOption]] = [
            .retry: [.retry, .support, .redownload], .support: [.support, .retry, .redownload],
            .redownload: [.redownload, .retry, .support], .setClock: [.setClock, .retry, .support, .redownload],
            .signIn: [.signIn, .retry, .support, .redownload],
        ]
        for option in RecoveryOption.allCases {
            #expect(option.choices.map(\.option) == listed[option])
            for choice in option.choices {
                // Downloading again helps if the media are missing or damaged. Otherwise, the choice's message says
                // that it doesn't help.
                #expect(choice.helps == (choice.option != .redownload || option == .redownload))
                for language in ContentLanguage.allCases {
                    #expect(choice.label(in: language) == choice.option.label(in: language))
                    let isOwn = choice.message(in: language) == choice.option.message(in: language)
                    #expect(isOwn == choice.helps)
                }
            }
        }
    }

    @Test
    func `if the clock is set back, correcting it is offered first unless the license is revoked or media are missing`()
    {
        let setBack = Reason(.contentClockSetBack)
        let others: [Reason.Kind] = [.contentUnreached, .enrolmentPaused, .grantExpired]
        for other in others {
            for reasons in [[Reason(other), setBack], [setBack, Reason(other)]] {
                #expect(RecoveryOption(for: reasons, isMediaWhole: true) == .setClock)
            }
        }
        #expect(RecoveryOption(for: [Reason(.contentLicenseRevoked), setBack], isMediaWhole: true) == .support)
        #expect(RecoveryOption(for: [setBack], isMediaWhole: false) == .redownload)
    }

    @Test
    func `a date is rounded down to a whole second, and one out of range becomes the earliest or latest timestamp`()
        async throws
    {
        let tablet = Tablet()
        let library = try await tablet.filled(1...1)
        for (seconds, expected) in [(Double.infinity, Int64.max), (-1e300, .min), (.nan, .max), (-0.5, -1), (1.9, 1)] {
            let date = Date(timeIntervalSince1970: seconds)
            #expect(Timestamp(date).seconds == expected)
            try await library.signIn(token: "t-mia", expiresAt: date)
        }
        #expect(await library.lapses(before: .init(timeIntervalSince1970: .infinity)).count == 1)
        #expect(await library.forecast(.neededThrough(.init(timeIntervalSince1970: -1e300))).requested.isEmpty)
        #expect(Timestamp(Date(Timestamp(seconds: .max))) == Timestamp(seconds: .max))
    }
}
