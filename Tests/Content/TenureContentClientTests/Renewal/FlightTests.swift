import Foundation
import TenureClient
import TenureContent
import TenureCore
import Testing

@testable import TenureContentClient

/// A flight of 14 hours over nine time zones without a network: content stops when the app predicted it.
///
/// Time zones don't affect the clock. While the clock is set back, everything with a date pauses, and nothing else.
///
/// If the device starts with a clock that is ahead, content stops early. If it starts with a clock that was set back,
/// time stands still for that long, unless it reaches a server (`Documentation/time.md`). In all other cases content
/// never plays longer than predicted.
@Suite struct FlightTests {
    static let seeds = Array(UInt64(1)...24)
    private static let count = 24
    fileprivate static let hour: Int64 = 3_600

    /// The changes of the device's clock during a flight, and their effect.
    private struct Flight {
        /// The number of seconds that the clock is ahead; negative if it's behind.
        var error: Int64 = 0
        /// Whether the time is certain, because the clock was right at every start so far.
        var isKnown = true
        /// The number of seconds by which a device that started with its clock set back may lag behind the true time.
        var lag: Int64 = 0

        mutating func setClock(_ hours: Int, on tablet: Tablet) {
            tablet.clock.turnWall(by: Int64(hours) * FlightTests.hour - error)
            error = Int64(hours) * FlightTests.hour
        }

        mutating func restart() {
            if error != 0 { isKnown = false }
            if error < 0 { lag = 9 * FlightTests.hour }
        }
    }

    /// The kind of limit that an item has, which depends on the item's number.
    private enum Limit: Int { case plays, enrolment, window, checkIn }

    private static func limit(_ number: Int) -> Limit { Limit(rawValue: number % 4) ?? .plays }

    /// Returns the library of a holder whose content ends at various times of the flight.
    private static func packed(_ tablet: Tablet, _ random: inout SeededGenerator) async throws -> ContentLibrary {
        let library = try await tablet.open()
        for number in 1...count {
            tablet.clock.pass(.random(in: 2_000...3_400, using: &random))
            let now = tablet.clock.truth
            let (limit, hours) = (limit(number), Int.random(in: 14...24, using: &random))
            let end = limit == .enrolment ? now.adding(seconds: .random(in: 9 * hour...40 * hour, using: &random)) : nil
            tablet.server.with { server in
                _ = server.enrol("mia", Given.content(number), at: now, endsAt: end) {
                    switch limit {
                    case .plays: $0.grantedPlays = 3
                    case .enrolment: break
                    case .window: $0.windowAfterFirstPlayHours = hours
                    case .checkIn: $0.checkInDays = 1
                    }
                }
            }
            #expect(await library.add(Given.content(number).text) == .done)
            guard limit == .window else { continue }
            let playback = try await library.playing(number)
            await playback.shown()
            await playback.end()
        }
        await library.rest()
        return library
    }

    @Test(arguments: seeds)
    func `offline content expires at the predicted times unless the clock is set back or wrong at a restart`(
        seed: UInt64
    ) async throws {
        var random = SeededGenerator(seed: seed)
        let tablet = Tablet()
        var library = try await Self.packed(tablet, &random)
        let landing = tablet.clock.truth.adding(seconds: 14 * Self.hour)
        let said = Dictionary(
            uniqueKeysWithValues: await library.lapses(before: Date(landing)).map { ($0.content, Timestamp($0.at)) })
        #expect(!said.isEmpty && said.count < Self.count)
        tablet.server.set(.noNetwork)
        var flight = Flight()
        while tablet.clock.truth < landing {
            let left = tablet.clock.truth.seconds(until: landing)
            tablet.clock.pass(min(left, .random(in: 1...Self.hour, using: &random)))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: flight.setClock([0, 9, -9, 3, -5].randomElement(using: &random) ?? 0, on: tablet)
            case 1:
                // In half of the runs, the clock is correct before the device restarts.
                if seed.isMultiple(of: 2) { flight.setClock(0, on: tablet) }
                tablet.clock.restart(after: 0)
                flight.restart()
                library = try await tablet.open()
            case 2: library = try await tablet.open()
            default: break
            }
            let isSetBack = await library.moment().isSetBack
            if flight.isKnown { #expect(isSetBack == (flight.error < 0)) }
            for number in 1...Self.count {
                let content = Given.content(number).text
                let plays = try #require(await library.content(content)).status.isPlayable
                let end = said[content]
                let isToPlay = end.map { tablet.clock.truth < $0 } ?? true
                if flight.isKnown, !isSetBack { #expect(plays == isToPlay) }
                if plays { #expect(end.map { tablet.clock.truth < $0.adding(seconds: flight.lag) } ?? true) }
                if Self.limit(number) == .plays { #expect(plays, "a clock stops nothing that has no date") }
            }
        }
        // The network is back, and the server's time with it. Everything is renewed unless its enrolment has ended,
        // whatever the clock says.
        tablet.server.set(.clear)
        _ = await library.renewal(.all)
        for number in 1...Self.count {
            let isOver = Self.limit(number) == .enrolment && said[Given.content(number).text] != nil
            #expect(await library.status(number)?.isPlayable == !isOver)
        }
    }
}
