import TenureCore
import TenureFormats
import TenureSelling
import TenureServerKit
import TenureStore

/// The endpoints of messages from payment providers under `/v1/{tenant}/messages`.
struct MessageEndpoints: Sendable {
    let context: FeatureContext
    let catalog: CatalogCache

    var endpoints: [Endpoint] { [list, show, retry, dismiss] }

    private func with(_ scope: String) -> Authentication<OperatorCaller> { .operator(scope, by: context) }

    private var list: Endpoint {
        let fields = Fields { fields in
            (
                source: try fields.optional("source", .slug(), in: .query, "Only messages from this source.")
                    as SourceID?,
                state: try fields.optional("state", .choice, in: .query, "Only messages in this state.")
                    as PaymentMessage.State?,
                after: try fields.optional(
                    "after", .numbered(), in: .query, "The value of `next` from the previous page.")
                    as PaymentMessageID?,
                limit: try fields.pageLimit()
            )
        }
        return Endpoint(
            "GET", "/v1/{tenant}/messages", format: .problem, catalog: .cached, authentication: with("intake:read"),
            reads: fields, answers: ListPage.document("messages", of: PaymentMessage.document),
            operation: Operation(
                "listMessages", "selling", "List messages from payment providers",
                "Newest first. One request examines \(BoundedPage<PaymentMessage>.stretch) messages at most, so with a "
                    + "filter a page can be short although `next` is set.")
        ) { call in
            let (input, tenant) = (call.input, call.caller.tenant)
            var last: PaymentMessage?
            if let after = input.after {
                last = try await context.paymentMessage(after, of: tenant)
                guard last != nil else {
                    throw Failure(FieldFault("after", in: .query, .other("this tenant has no message \(after)")))
                }
            }
            let page = try await context.paymentMessages(
                of: tenant, from: input.source, in: input.state, after: last, limit: input.limit)
            return .done(ListPage(page.rows, next: page.next?.id.description))
        }
    }

    private var show: Endpoint {
        Endpoint(
            "GET", "/v1/{tenant}/messages/{message}", format: .problem, catalog: .cached,
            authentication: with("intake:read"), reads: Self.message, answers: PaymentMessage.Shown.document,
            operation: Operation(
                "showMessage", "selling", "Show a message from a payment provider",
                "Its body is part of the response only for a token with the scope `intake:bodies`, because it may contain "
                    + "the buyer's address. It's removed 60 days after it arrived.")
        ) { call in
            guard let message = try await context.paymentMessage(call.input, of: call.caller.tenant) else {
                throw Failure.notFound
            }
            var body: String?
            if call.caller.scopes.contains("intake:bodies") {
                body = try await context.body(of: message.id, under: catalog.master)
                    .map { String(decoding: $0, as: UTF8.self) }
            }
            return .done(PaymentMessage.Shown(message: message, body: body))
        }
    }

    private var retry: Endpoint {
        let fields = Fields { fields in
            (
                message: try fields.required("message", .numbered(), in: .path, "The id of the message.")
                    as PaymentMessageID,
                issues: try fields.optional(
                    "issue", .boolean, "Whether a renewal of an order that Tenure doesn't know may issue licenses.")
            )
        }
        return Endpoint(
            "POST", "/v1/{tenant}/messages/{message}/retry", format: .problem, catalog: .cached,
            authentication: with("intake:write"), reads: fields, answers: PaymentMessage.document, status: 202,
            operation: Operation(
                "retryMessage", "selling", "Act on a message again",
                "For a message that waits, is parked or was ignored. One that is done is refused with `message_done`.",
                success: "The message waits to be acted on.")
        ) { call in
            .done(
                try await context.retryPaymentMessage(
                    call.input.message, of: call.caller.tenant, issuesUnknown: call.input.issues ?? false
                ).message { "The message was done on \($0), and can't be acted on again." })
        }
    }

    private var dismiss: Endpoint {
        Endpoint(
            "POST", "/v1/{tenant}/messages/{message}/dismiss", format: .problem, catalog: .cached,
            authentication: with("intake:write"), reads: Self.message, answers: PaymentMessage.document,
            operation: Operation(
                "dismissMessage", "selling", "End a parked message without acting on it",
                "The message becomes `ignored`, and can still be acted on again. One that isn't parked is refused with "
                    + "`message_done`.")
        ) { call in
            .done(
                try await context.dismissPaymentMessage(call.input, of: call.caller.tenant).message {
                    "The message isn't parked. Its state is the same since \($0)."
                })
        }
    }

    private static let message = Fields { fields in
        try fields.required("message", .numbered(), in: .path, "The id of the message.") as PaymentMessageID
    }
}

extension MessageChange {
    /// Returns the changed message; throws if nothing was changed.
    ///
    /// - Parameter finished: Returns the error's sentence, given the time of the message's last change.
    fileprivate func message(orElse finished: (Timestamp) -> String) throws -> PaymentMessage {
        switch self {
        case .changed(let message): return message
        case .unknown: throw Failure.notFound
        case .finished(let message):
            throw Failure(
                RejectedRequest(
                    409, code: "message_done", finished(message.changedAt), among: Reason.Kind.payments))
        case .bodyRemoved:
            throw Failure(
                RejectedRequest(
                    409, code: "message_body_removed", MessageChange.bodyRemovedSentence, among: Reason.Kind.payments))
        }
    }

    /// The error's sentence for a message that can't be acted on because its body has been removed.
    static let bodyRemovedSentence =
        "The message's body was removed \(PaymentMessageBody.lifetime / 86_400) days after it arrived, so it can't be acted "
        + "on again. Change the licenses by hand, and end the message with `tenure intake dismiss`."
}

extension PaymentMessage {
    /// The JSON form of a message.
    static let document = Document<PaymentMessage>(
        "PaymentMessage",
        [
            .text("id", "Its id.") { $0.id.description },
            .text("source", "The source that received it.") { $0.source.text },
            .text("message", "The provider's id of the message.") { $0.message },
            .text("type", "The provider's type of the message.") { $0.type },
            .choice("state", "Its state.") { $0.state },
            .textOrNull("reason", "Why it was ignored or parked.") { $0.reason?.rawValue },
            .textOrNull("detail", "What is missing or in the way.") { $0.detail },
            .textOrNull("remedy", "What to do about a parked message.") { $0.reason?.remedy },
            .textOrNull("order", "The provider's reference of the order that it belongs to.") { $0.order },
            .dateTime("at", "When it happened, according to the provider.") { $0.happenedAt },
            .dateTime("receivedAt", "When it arrived.") { $0.receivedAt },
        ])

    /// A message with its body.
    struct Shown: Sendable {
        let message: PaymentMessage
        /// The body; `nil` if the caller may not see it or it has been removed.
        let body: String?

        static let document = Document<Shown>(
            "PaymentMessageWithBody",
            PaymentMessage.document.members { $0.message } + [
                .textOrNull(
                    "body", "The body as received; null without the scope `intake:bodies`, or once it's removed."
                ) { $0.body }
            ])
    }
}

extension Reason.Kind {
    /// The reasons for refusing an operator's request about payments.
    static let payments = messages + JoinObstacle.allCases.map(\.kind)

    private static let messages = [
        Reason.Kind(
            "message_unsigned",
            "No secret of a source at this address signed the message, or it was signed too long ago.",
            cure:
                "Compare the endpoint's signing secret at the payment provider with the source's in the catalog, and check "
                + "the server's clock.", since: "0.2"),
        Reason.Kind(
            "message_done", "The message was finished with already.",
            cure: "Change the licenses of its order by hand if needed.", since: "0.2"),
        Reason.Kind(
            "message_body_removed", "The message's body has been removed, so it can't be acted on again.",
            cure: "Change the licenses by hand, and end the message with `tenure intake dismiss`.", since: "0.2"),
    ]
}
