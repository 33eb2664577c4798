package import TenureCore
import TenureCrypto
import TenureFormats

/// Verifies the signature of a payment provider's message over the bytes that arrived.
package enum ProviderSignature {
    /// The longest signature header that is read, in bytes: 4 KiB.
    package static let headerLimit = 4 << 10

    /// Verifies the header `Stripe-Signature`: `t=SECONDS,v1=HEX`, where `v1` may occur several times.
    ///
    /// The code is HMAC-SHA256 of `t`, a dot and the body, under the UTF-8 bytes of the whole secret, `whsec_`
    /// included.
    ///
    /// - Parameters:
    ///   - secrets: The secrets of the endpoint; two while one is replaced by another.
    ///   - now: The server's time, from which `t` may differ by 300 seconds.
    package static func verifiesStripe(
        header: [UInt8], body: [UInt8], secrets: [[UInt8]], now: Timestamp
    ) -> Bool {
        verifies(
            header: header, body: body, secrets: secrets, now: now,
            format: stripe)
    }

    /// Creates the header `Stripe-Signature` that ``verifiesStripe(header:body:secrets:now:)`` accepts.
    package static func stripeHeader(body: [UInt8], secret: [UInt8], at now: Timestamp) -> String {
        header(of: body, secret: secret, at: now, stripe)
    }

    /// Verifies the header `Paddle-Signature`: `ts=SECONDS;h1=HEX`, where `h1` may occur several times.
    ///
    /// The code is HMAC-SHA256 of `ts`, a colon and the body, under the UTF-8 bytes of the whole secret.
    ///
    /// - Parameters:
    ///   - secrets: The secrets of the destination; two while one is replaced by another.
    ///   - now: The server's time, from which `ts` may differ by three days. Paddle may keep the signature when it
    ///     sends a message again.
    package static func verifiesPaddle(
        header: [UInt8], body: [UInt8], secrets: [[UInt8]], now: Timestamp
    ) -> Bool {
        verifies(
            header: header, body: body, secrets: secrets, now: now,
            format: paddle)
    }

    /// Creates the header `Paddle-Signature` that ``verifiesPaddle(header:body:secrets:now:)`` accepts.
    package static func paddleHeader(body: [UInt8], secret: [UInt8], at now: Timestamp) -> String {
        header(of: body, secret: secret, at: now, paddle)
    }

    /// Whether a header `Stripe-Signature` contains a time and a code, even if the code is wrong.
    package static func isStripeHeader(_ header: [UInt8]) -> Bool { fields(of: header, stripe) != nil }

    /// Whether a header `Paddle-Signature` contains a time and a code, even if the code is wrong.
    package static func isPaddleHeader(_ header: [UInt8]) -> Bool { fields(of: header, paddle) != nil }

    /// The format of a provider's header.
    private struct Format {
        let separator: Unicode.Scalar
        let time, code, joint: String
        let windowSeconds: Int64
    }

    private static let stripe = Format(separator: ",", time: "t", code: "v1", joint: ".", windowSeconds: 300)
    private static let paddle = Format(separator: ";", time: "ts", code: "h1", joint: ":", windowSeconds: 3 * 86_400)

    private static func header(of body: [UInt8], secret: [UInt8], at now: Timestamp, _ format: Format) -> String {
        let message = Array("\(now.seconds)\(format.joint)".utf8) + body
        let code = Hex.encode(HMACSHA256.code(of: message, under: secret))
        return "\(format.time)=\(now.seconds)\(format.separator)\(format.code)=\(code)"
    }

    /// The maximum number of codes that are compared; a provider sends one for each of its secrets.
    private static let mostCodes = 16

    /// The time and the codes of a header; `nil` if the time or all codes are missing.
    private static func fields(
        of header: [UInt8], _ format: Format
    ) -> (time: [UInt8], seconds: Int64, codes: [[UInt8]])? {
        guard header.count <= headerLimit else { return nil }
        var (time, codes): ([UInt8]?, [[UInt8]]) = (nil, [])
        for field in header.split(separator: UInt8(ascii: format.separator)) {
            let field = trimmed(field)
            guard let equals = field.firstIndex(of: UInt8(ascii: "=")) else { continue }
            let (name, value) = (field[..<equals], field[(equals + 1)...])
            if name.elementsEqual(format.time.utf8) {
                // With two times, it would be unclear which of them was signed.
                guard time == nil else { return nil }
                time = Array(value)
            } else if name.elementsEqual(format.code.utf8), let code = hex(value), codes.count < mostCodes {
                codes.append(code)
            }
        }
        guard let time, let seconds = decimal(time), !codes.isEmpty else { return nil }
        return (time, seconds, codes)
    }

    private static func verifies(
        header: [UInt8], body: [UInt8], secrets: [[UInt8]], now: Timestamp, format: Format
    ) -> Bool {
        guard let (time, seconds, codes) = fields(of: header, format) else { return false }
        let distance = now.seconds(until: Timestamp(seconds: seconds))
        guard (-format.windowSeconds...format.windowSeconds).contains(distance) else { return false }
        let message = time + Array(format.joint.utf8) + body
        var isValid = false
        // Every secret is tried with every code, so that the response time doesn't reveal which one matched.
        for secret in secrets where !secret.isEmpty {
            let expected = HMACSHA256.code(of: message, under: secret)
            for code in codes where constantTimeEquals(code, expected) { isValid = true }
        }
        return isValid
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes
    }

    private static func hex(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count == 2 * HMACSHA256.length else { return nil }
        return Hex.decode(String(decoding: text, as: UTF8.self))
    }

    private static func decimal(_ text: [UInt8]) -> Int64? {
        guard (1...15).contains(text.count), text.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return text.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
    }
}
