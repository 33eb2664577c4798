import TenureCommandLine
import TenureCore
import TenureCrypto
import TenureFormats
import TenureHTTP
import TenureSelling
import TenureServerKit
import TenureStore

/// The command `tenure intake simulate`.
enum SimulateCommand {
    private static let source = Argument.positional(
        "SOURCE", "The source in the catalog, with \"world\": \"test\".", as: ArgumentReading<SourceID>.slug())
    private static let occasion = Argument.positional(
        "OCCASION", "What happened.", as: ArgumentReading<SimulatedOrder.Occasion>.choice())
    private static let item: Argument<String?> = .optional(
        "item", "ITEM", "What is sold, as the source's \"items\" name it.", as: .text)
    private static let email: Argument<String?> = .optional(
        "email", "EMAIL", "The buyer's address. After the sale: the newest order of this buyer.", as: .text)
    private static let reference: Argument<ProviderID?> = .optional(
        "reference", "ID", "The order's id at the provider; by default, a sale gets a new one.", as: .providerID)
    private static let twice = Argument.flag(
        "twice", "Send each message twice, as providers do; the second one must change nothing.")
    private static let url = Argument.option(
        "url", "URL", "The running server.", as: .text, default: "http://127.0.0.1:8080")

    static func command(_ installations: Installations) -> Command {
        Command(
            "simulate", "Sends a signed message of a payment provider to the running server, to try out a source.",
            discussion: """
                The message has the provider's shape and is signed with the source's secret, so the server treats it as the \
                provider's own. Only sources with "world": "test" are accepted. An item whose policy has a duration is \
                sold as a subscription, any other as a single purchase. The price is 10.00 EUR.
                """,
            example: """
                tenure intake simulate stripe-test sale --tenant acme --item price_1 --email ada@shop.example
                tenure intake simulate stripe-test refund --tenant acme --email ada@shop.example
                """,
            arguments: [
                source, occasion, IntakeCommands.tenant, item, email, reference, twice, url, SharedOptions.json,
            ] + SharedOptions.installation,
            output: Schema.output([
                ("reference", .text()), ("messages", .list(of: PaymentMessage.document.output())),
            ])
        ) { arguments, console in
            let installation = try await installations.open(arguments, console: console)
            let tenant = arguments[IntakeCommands.tenant]
            let snapshot = try await installation.catalog().current
            _ = try snapshot.catalog.named(tenant)
            guard let source = snapshot.paymentSource(arguments[source], of: tenant) else {
                throw CommandError("The tenant \(tenant) has no source \(arguments[source]) in its \"intake\".")
            }
            guard source.rules.world == .test, let secret = source.secrets.first else {
                throw CommandError(
                    "The source \(source.id) takes real payments, so nothing can be simulated there. Add a source with "
                        + "\"world\": \"test\" to the catalog, and name that one.")
            }
            let simulation = Simulation(
                source: source, tenant: tenant, context: installation.context, now: installation.clock.now())
            let request = SimulationRequest(
                occasion: arguments[occasion], item: arguments[item], email: arguments[email],
                reference: arguments[reference])
            let (order, messages) = try await simulation.messages(for: request, under: snapshot)
            let server = SimulatedSender(
                outbound: try installations.outbound(), url: arguments[url], source: source, secret: secret,
                tenant: tenant)
            var received: [PaymentMessage] = []
            for message in messages {
                try await server.send(message, at: simulation.now)
                received.append(try await simulation.received(message))
                if arguments[twice] { try await server.send(message, at: simulation.now) }
            }
            await installation.store.close()
            if arguments[SharedOptions.json] {
                console.answer { body in
                    body.member("reference", order.reference.text)
                    body.array("messages") { list in
                        for message in received { list.object { PaymentMessage.document.write(message, into: &$0) } }
                    }
                }
                return .done
            }
            console.answer(lines: ["order     \(order.reference)"] + received.map(\.line))
            let options = "--tenant \(tenant)\(installation.namedBy)"
            console.note("see the order with `tenure order list --reference \(order.reference) \(options)`")
            for message in received where message.state == .parked {
                console.note("see what is missing with `tenure intake show \(message.id) \(options)`")
            }
            return .done
        }
    }
}

extension PaymentMessage {
    fileprivate var line: String {
        "message   \(id), \(type): \(state.rawValue)" + (reason.map { ", \($0.rawValue)" } ?? "")
    }
}

/// Sends simulated messages to a server.
private struct SimulatedSender: Sendable {
    let outbound: any Outbound
    let url: String
    let source: PaymentSource
    let secret: String
    let tenant: TenantID

    func send(_ message: SimulatedMessage, at now: Timestamp) async throws(CommandError) {
        let key = Array(secret.utf8)
        let signature: Headers =
            switch source.provider {
            case .stripe:
                ["Stripe-Signature": ProviderSignature.stripeHeader(body: message.body, secret: key, at: now)]
            case .paddle:
                ["Paddle-Signature": ProviderSignature.paddleHeader(body: message.body, secret: key, at: now)]
            }
        let request = OutgoingRequest.post(
            "\(url)/v1/\(tenant)/intake/\(source.id)", json: message.body, headers: signature)
        let response: Response
        do throws(OutboundError) {
            response = try await outbound.send(
                request, within: OutboundLimits(reach: .everywhere, size: 64 << 10, seconds: 30))
        } catch {
            guard error.kind == .unreachable else { throw CommandError(error.message) }
            throw CommandError(
                "The server at \(url) can't be reached. Start it with `tenure serve`, or name it with --url.")
        }
        switch response.status {
        case 200: return
        case 401:
            throw CommandError(
                "The server at \(url) doesn't accept the signature. Check that it uses this store, and that its clock is "
                    + "right.")
        case let status: throw CommandError("The server at \(url) responded with \(status). Its log says why.")
        }
    }
}
