import TenureCore
import TenureFormats

/// The endpoints of letters under `/v1/{tenant}/mails`.
struct MailEndpoints: Sendable {
    let context: FeatureContext

    var endpoints: [Endpoint] { [list, retry, bounce] }

    private func with(_ scope: String) -> Authentication<OperatorCaller> { .operator(scope, by: context) }

    private var list: Endpoint {
        let fields = Fields { fields in
            (
                state: try fields.optional("state", .choice, in: .query, "Only letters in this state.") as Mail.State?,
                license: try fields.optional("license", .licenseID, in: .query, "Only letters about this license."),
                after: try fields.optional(
                    "after", .numbered(), in: .query, "The value of `next` from the previous page.") as MailID?,
                limit: try fields.pageLimit()
            )
        }
        return Endpoint(
            "GET", "/v1/{tenant}/mails", format: .problem, catalog: .cached, authentication: with("mails:read"),
            reads: fields, answers: ListPage.document("mails", of: Mail.document),
            operation: Operation(
                "listMails", "mails", "List letters",
                "Newest first, those that wait and those of the last 90 days. One request examines "
                    + "\(BoundedPage<Mail>.stretch) letters at most, so with a filter a page can be short although `next` "
                    + "is set.")
        ) { call in
            let (input, tenant) = (call.input, call.caller.tenant)
            var last: Mail?
            if let after = input.after {
                last = try await context.mail(after, of: tenant)
                guard last != nil else {
                    throw Failure(FieldFault("after", in: .query, .other("this tenant has no letter \(after)")))
                }
            }
            let page = try await context.mails(
                of: tenant, in: input.state, about: input.license, after: last, limit: input.limit)
            return .done(ListPage(page.rows, next: page.next?.id.description))
        }
    }

    private var retry: Endpoint {
        let fields = Fields { fields in
            try fields.required("mail", .numbered(), in: .path, "The id of the letter.") as MailID
        }
        return Endpoint(
            "POST", "/v1/{tenant}/mails/{mail}/retry", format: .problem, catalog: .cached,
            authentication: with("mails:write"), reads: fields, answers: Mail.document, status: 202,
            operation: Operation(
                "retryMail", "mails", "Send a letter again",
                "It's due now if it waits, failed, bounced, was superseded or is held. It's superseded again if its text "
                    + "wouldn't be true anymore. A letter that was sent is refused with `mail_sent`.",
                success: "The letter waits to be sent.")
        ) { call in
            guard let mail = try await context.retryMail(call.input, of: call.caller.tenant) else {
                throw Failure.notFound
            }
            guard mail.state != .sent else {
                throw Failure(
                    RejectedRequest(
                        409, code: "mail_sent",
                        "The letter was sent on \(mail.changedAt). If it didn't arrive, send another one, or mark it as "
                            + "bounced first.", among: Reason.Kind.mails))
            }
            return .done(mail)
        }
    }

    private var bounce: Endpoint {
        let fields = Fields { fields in
            (
                reference: try fields.one(
                    of: .init("to", .line(3...254), "The address that the letter was sent to, in any spelling."),
                    or: .init("messageId", .line(1...998), "The letter's `Message-ID`."),
                    must: "an address, unless there is a messageId"),
                reason: try fields.optional("reason", .line(1...500), "What the mail server said.")
            )
        }
        return Endpoint(
            "POST", "/v1/{tenant}/mails/bounced", format: .problem, catalog: .cached,
            authentication: with("mails:write"), reads: fields, answers: Mail.document,
            operation: Operation(
                "bounceMail", "mails", "Mark a letter as bounced",
                "For a relay's notice that it couldn't deliver a letter that it had accepted. An address means the newest "
                    + "letter to it. Repeating the request changes nothing.")
        ) { call in
            let reference: Mail.Reference =
                switch call.input.reference {
                case .first(let address): .address(address)
                case .second(let id): .messageID(id)
                }
            let mail = try await context.bounceMail(reference, because: call.input.reason, of: call.caller.tenant)
            guard let mail else { throw Failure.notFound }
            return .done(mail)
        }
    }
}

extension Mail {
    /// The JSON object of a letter in responses and command output.
    static let document = Document<Mail>(
        "Mail",
        [
            .text("id", "Its id.") { $0.id.description }, .text("kind", "What it's about, such as `keys`.") { $0.kind },
            .text("to", "The recipient's address.") { $0.address },
            .init("licenses", .texts, "The licenses that it's about.") { mail, body in
                body.member("licenses", mail.licenses.map(\.license.description))
            },
            .textOrNull("order", "The reference of the order that caused it.") { $0.order },
            .choice("state", "Its state.") { $0.state },
            .integer("attempts", "How many times it was offered to a mail server.") { Int64($0.attempts) },
            .textOrNull("answer", "The mail server's last response, or why there was none.") { $0.answer },
            .dateTime("createdAt", "When it was caused.") { $0.createdAt },
            .momentOrNull("sentAt", "When a mail server accepted it.") { $0.sentAt },
        ])
}
