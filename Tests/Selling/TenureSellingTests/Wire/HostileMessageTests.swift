import TenureCore
import TenureFormats
import TenureSelling
import Testing

/// Broken bodies give an error or facts, and never crash the reader.
@Suite struct HostileMessageTests {
    @Test(arguments: try ProviderFixtures.names("stripe"))
    func `a damaged Stripe message is parsed or refused without a crash`(_ name: String) throws {
        for body in damaged(try ProviderFixtures.body("stripe", name)) {
            guard let message = try? StripeMessage(parsing: body), let content = try? message.content() else {
                continue
            }
            fold(content)
        }
    }

    @Test(arguments: try ProviderFixtures.names("paddle"))
    func `a damaged Paddle message is parsed or refused without a crash`(_ name: String) throws {
        let buyer = Supplement(buyer: Buyer(email: "ada@example.com"))
        for body in damaged(try ProviderFixtures.body("paddle", name)) {
            guard let message = try? PaddleMessage(parsing: body), let content = try? message.content(with: buyer)
            else {
                continue
            }
            fold(content)
        }
    }

    /// Returns truncated bodies, and bodies with changed bytes and with unexpected numbers and texts.
    private func damaged(_ body: [UInt8]) -> [[UInt8]] {
        var generator = SeededGenerator(state: UInt64(body.count))
        var bodies: [[UInt8]] = (0..<15).map { _ in
            Array(body.prefix(Int.random(in: 0..<body.count, using: &generator)))
        }
        for _ in 0..<30 {
            var copy = body
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                copy[Int.random(in: 0..<copy.count, using: &generator)] = UInt8.random(
                    in: 0x20...0x7E, using: &generator)
            }
            bodies.append(copy)
        }
        let numbers = ["9223372036854775807", "-9223372036854775808", "-1", "1e300", "0.5", "null", "\"\"", "[]", "{}"]
        let text = String(decoding: body, as: UTF8.self)
        for number in numbers {
            for known in [
                "1790000000", "1792592000", "1000", "4900", ": 1,", "\"pi_1\"", "\"eur\"", "\"1000\"",
                "\"2026-10-21T14:13:20.000Z\"",
            ] {
                bodies.append(Array(text.replacing(known, with: known.hasPrefix(":") ? ": \(number)," : number).utf8))
            }
        }
        return bodies
    }

    private func fold(_ content: MessageContent) {
        guard let report = content.report, !report.facts.isEmpty else { return }
        var shop = OrderShop(report.reference?.text ?? "unknown")
        shop.rules.unmapped = .ignore
        for item in ["price_month", "price_year", "pri_month", "pri_year", "pri_team"] {
            shop.rules.items.append(ItemRule(item, goods: .init(OrderShop.product, OrderShop.yearly)))
        }
        for fact in report.issuing { shop.receive(fact) }
    }
}
