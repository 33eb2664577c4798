import Foundation
import TenureCore
import TenureFormats
import TenureSelling
import Testing

@Suite struct ProviderResponseTests {
    private let later = OrderShop.start.adding(days: 1)

    private func object(_ provider: String, _ name: String, _ path: String...) throws -> [UInt8] {
        let text = String(decoding: try ProviderFixtures.body(provider, name), as: UTF8.self)
        // The object begins at the first member of the fixture with this name.
        let start = try #require(text.range(of: "\"\(path[0])\": {"))
        var (depth, end) = (0, text.utf8.startIndex)
        for index in text.utf8.indices[text.index(before: start.upperBound)...] {
            if text.utf8[index] == UInt8(ascii: "{") { depth += 1 }
            if text.utf8[index] == UInt8(ascii: "}") { depth -= 1 }
            end = text.utf8.index(after: index)
            if depth == 0 { break }
        }
        return Array(text.utf8[text.index(before: start.upperBound)..<end])
    }

    @Test func `the current state of a Stripe subscription is read as facts`() throws {
        let body = try object("stripe", "subscription-cancels", "object")
        let report = StripeResponse.subscription(parsing: body, of: .of("sub_1"), for: .of("evt_1"), at: later)
        #expect(report?.facts.map(\.kind).prefix(2) == [.recovered, .willEnd])
        #expect(report?.facts.allSatisfy { $0.time == later && $0.message == .of("evt_1") } == true)
        #expect(StripeResponse.subscription(parsing: body, of: .of("sub_2"), for: .of("evt_1"), at: later) == nil)
    }

    @Test func `the current state of a Paddle subscription is read as facts`() throws {
        let body = Array("{\"data\":".utf8) + (try object("paddle", "subscription-past-due", "data")) + [0x7D]
        let report = PaddleResponse.subscription(parsing: body, of: .of("sub_1"), for: .of("evt_1"), at: later)
        #expect(report?.facts.map(\.kind) == [.pastDue, .willNotEnd])
        #expect(PaddleResponse.subscription(parsing: body, of: .of("sub_2"), for: .of("evt_1"), at: later) == nil)
    }

    @Test func `a Paddle transaction is treated as paid only if a response about it reports it as paid`() throws {
        let body = Array("{\"data\":".utf8) + (try object("paddle", "purchase", "data")) + [0x7D]
        #expect(PaddleResponse.isPaid(parsing: body, transaction: .of("txn_1")))
        #expect(!PaddleResponse.isPaid(parsing: body, transaction: .of("txn_2")))
        #expect(!PaddleResponse.isPaid(parsing: Array("{}".utf8), transaction: .of("txn_1")))
    }

    @Test func `Stripe's list of events is read as messages and a cursor to the next page`() throws {
        let events = try ["invoice-first", "refund-whole"].map { try ProviderFixtures.body("stripe", $0) }
        let body = Array("{\"object\":\"list\",\"has_more\":true,\"data\":[".utf8) + events[0] + [0x2C] + events[1]
        let page = try #require(StripeResponse.events(parsing: body + Array("]}".utf8)))
        let messages = try events.map { try StripeMessage(parsing: $0) }
        #expect(try page.bodies.map { try StripeMessage(parsing: $0) } == messages)
        #expect(page.page == CatchUp.Page(newest: messages.map(\.time).max(), next: messages[1].id))
    }

    @Test func `Paddle's list of events is read as messages and a cursor to the next page`() throws {
        let event = try ProviderFixtures.body("paddle", "purchase")
        let more = Array("],\"meta\":{\"pagination\":{\"has_more\":true}}}".utf8)
        let page = try #require(PaddleResponse.events(parsing: Array("{\"data\":[".utf8) + event + more))
        let message = try PaddleMessage(parsing: event)
        #expect(try page.bodies.map { try PaddleMessage(parsing: $0) } == [message])
        #expect(page.page == CatchUp.Page(newest: message.time, next: message.id))
    }

    @Test(arguments: [
        #"{"object":"list","has_more":true,"data":[]}"#, #"{"object":"list","has_more":true,"data":[{"id":"evt_1"}]}"#,
        #"{"object":"list","has_more":true,"data":[{"created":1}]}"#, #"{"object":"list"}"#, #"{"data":[]}"#, "[]", "",
    ]) func `a malformed list of Stripe events, or one without a cursor to its next page, is refused`(_ text: String) {
        #expect(StripeResponse.events(parsing: Array(text.utf8)) == nil)
    }

    @Test func `an event in Stripe's list of events is read with the same JSON value`() throws {
        let event = #"{"a":[null,true,-1,0.5,"\"\u0001\\é"],"b":{},"c":[],"d":{"x":1e300}}"#
        let page = try #require(StripeResponse.events(parsing: Array("{\"object\":\"list\",\"data\":[\(event)]}".utf8)))
        #expect(try page.bodies.map { try JSONValue(parsing: $0) } == [JSONValue(parsing: Array(event.utf8))])
    }
}
