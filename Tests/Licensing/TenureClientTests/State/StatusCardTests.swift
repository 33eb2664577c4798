import Foundation
import TenureClient
import TenureCore
import Testing

@Suite struct StatusCardTests {
    struct Row: Sendable {
        let situation: Situation
        let title: String
        let offers: [StatusCard.Offer]
    }

    static let rows = [
        Row(situation: Situation(trial: Given.trialRunning), title: "Trial: 11 days left", offers: [.activate]),
        Row(
            situation: Situation(trial: .signed(start: Given.after(-13 * Given.day), days: 14)),
            title: "Trial: 1 day left", offers: [.activate]),
        Row(situation: Situation(license: .lease(Given.lease())), title: "Licensed", offers: [.deactivate]),
        Row(
            situation: Situation(license: .lease(Given.lease(.fallback))), title: "License lapsed",
            offers: [.check, .activate, .deactivate]),
        Row(
            situation: Situation(terms: Given.terms(free: true)), title: "Free plan", offers: [.startTrial, .activate]),
        Row(
            situation: Situation(trial: Given.trialOver, terms: Given.terms(free: true)), title: "Free plan",
            offers: [.activate]),
        Row(
            situation: Situation(trial: Given.trialOver, terms: Given.terms(free: false)), title: "Trial ended",
            offers: [.activate]),
        Row(situation: Situation(), title: "No license", offers: [.activate, .check]),
        Row(
            situation: Situation(startsTrialOffline: true), title: "No license",
            offers: [.startTrial, .activate, .check]),
        Row(situation: Situation(trial: Given.trialOver), title: "Trial ended", offers: [.activate, .check]),
        Row(
            situation: Situation(terms: Given.terms(free: false, trialDays: 0)), title: "No license",
            offers: [.activate]),
        Row(
            situation: Situation(license: .lease(Given.lease(ends: -Given.day))), title: "License expired",
            offers: [.check, .activate]),
        Row(
            situation: Situation(license: .refused(Given.refused("license_revoked"))), title: "License not valid",
            offers: [.check, .activate]),
        Row(
            situation: Situation(clock: Given.clockSetBack, trial: Given.trialRunning), title: "Clock set back",
            offers: [.check, .activate]),
    ]

    @Test(arguments: rows.indices)
    func `a status card has the state's title and actions, the explanation's message and, unless licensed, its remedy`(
        _ index: Int
    ) {
        let row = Self.rows[index]
        let resolution = row.situation.resolve(at: Given.now)
        let card = StatusCard(resolution.state, resolution.explanation)
        #expect(card.title == row.title)
        #expect(card.offers == row.offers)
        #expect(card.message == resolution.explanation.reasons[0].message)
        #expect(card.cure == (resolution.state == .licensed ? nil : resolution.explanation.cure))
    }

    @Test func `a status card's message mentions a lost record after the state's reason`() {
        let situation = Situation(
            terms: Given.terms(free: false), loss: RecordLoss(.corrupted, at: Given.after(-Given.day)),
            unreached: RequestFailure(.offline, "no route"))
        let resolution = situation.resolve(at: Given.now)
        let style = TextStyle(.english, timeZone: TimeZone(secondsFromGMT: 0))
        let card = StatusCard(resolution.state, resolution.explanation.localized(style))
        #expect(card.title == "No license")
        #expect(card.offers == [.startTrial, .activate])
        #expect(
            card.message
                == "There is no license, and the trial hasn't been started. The license record that was here until"
                + " 14 January 2027, 08:00 is damaged and isn't used.")
    }

    @Test func `the status card offers to activate a key in every state but licensed`() {
        for row in Self.rows {
            let resolution = row.situation.resolve(at: Given.now)
            let card = StatusCard(resolution.state, resolution.explanation)
            #expect(card.offers.contains(.activate) == (resolution.state != .licensed))
        }
    }

    @Test func `a status card has a Check Now action if its explanation advises to check now`() {
        for row in Self.rows {
            let resolution = row.situation.resolve(at: Given.now)
            guard resolution.explanation.cure.contains("check now") else { continue }
            #expect(StatusCard(resolution.state, resolution.explanation).offers.contains(.check), "\(row.title)")
        }
    }
}
