import Synchronization
import TenureCore
import TenureHTTP
import TenureSelling
import TenureServerKit

/// Logs messages whose signature isn't valid, so that a vendor notices a wrong secret.
///
/// Only messages to an existing source are logged, and only if they have a header in the provider's format. Each source
/// gets at most one line a minute, so that an outsider can't flood the log. The response is the same as for a source
/// that doesn't exist.
final class UnsignedMessages: Sendable {
    private struct Logged {
        let at: Timestamp
        var unlogged: Int64 = 0
    }

    private let log: any Log
    private let logged = Mutex<[String: Logged]>([:])

    /// The minimum time between two log lines about a source, in seconds.
    private static let interval: Int64 = 60

    init(log: any Log) { self.log = log }

    /// Logs a message to a source, or counts it if one was logged within the last minute.
    func note(_ headers: Headers, to source: PaymentSource, of tenant: TenantID, at now: Timestamp) {
        guard source.provider.hasSignature(in: headers) else { return }
        let unlogged = logged.withLock { logged -> Int64? in
            let name = "\(tenant)/\(source.id)"
            if var earlier = logged[name], (0..<Self.interval).contains(earlier.at.seconds(until: now)) {
                earlier.unlogged += 1
                logged[name] = earlier
                return nil
            }
            let unlogged = logged[name]?.unlogged ?? 0
            logged[name] = Logged(at: now)
            return unlogged
        }
        guard let unlogged else { return }
        log.write(
            LogLine(
                .warning, "message_unsigned",
                [
                    ("tenant", .text(tenant.text)), ("source", .text(source.id.text)),
                    ("unlogged", .number(unlogged)),
                ]))
    }
}

extension PaymentSource.Provider {
    /// The bytes of the header with a message's signature; empty if the header is missing.
    func signature(in headers: Headers) -> [UInt8] {
        let name =
            switch self {
            case .stripe: "stripe-signature"
            case .paddle: "paddle-signature"
            }
        return Array((headers[name] ?? "").utf8)
    }

    fileprivate func hasSignature(in headers: Headers) -> Bool {
        switch self {
        case .stripe: ProviderSignature.isStripeHeader(signature(in: headers))
        case .paddle: ProviderSignature.isPaddleHeader(signature(in: headers))
        }
    }
}
