import TenureCore
import TenureFormats
import TenureHTTP

extension AdminDialect {
    /// The acts that have a path of their own.
    enum LicenseVerb: String, CaseIterable, Sendable {
        case renew, change, rekey, suspend, reinstate, revoke
        case giveBack = "return"
    }

    func create(_ call: Call) async throws(AdminFailure) -> Response {
        let body = try AdminBody(call.request, knowing: ["product", "policy", "holder", "expiresAt", "count"])
        let product = ProductRef(tenant: call.tenant, product: try body.requiredSlug("product"))
        let order = IssueLicenses.Order(
            product: product, policy: try body.requiredSlug("policy"), holder: try body.text("holder"),
            end: try body.end("expiresAt"), count: try body.integer("count", in: 1...1000) ?? 1)
        let now = clock.now()
        let once = try await failing { () async throws(ServerError) in
            try await IssueLicenses(catalog: catalog, clock: clock, randomness: randomness).once(
                try call.repeatable(), order, by: call.actor
            ) { issued in issued.map { Self.json($0, at: now) } }
        }
        return try Self.answer(once, status: 201) { issued throws(AdminFailure) in
            guard let issued else {
                throw AdminFailure(
                    422, "The request cannot be carried out", code: "policy_unknown",
                    detail: "There is no policy \(order.policy) of \(order.product).")
            }
            return Self.json(issued, at: now)
        }
    }

    func perform(_ verb: LicenseVerb, _ call: Call) async throws(AdminFailure) -> Response {
        guard let id = call.path["license"].flatMap({ LicenseID(text: $0) }) else { throw .notFound }
        let (act, keyText) = try await act(verb, call)
        let now = clock.now()
        let write: @Sendable (License) -> [UInt8] = { license in
            JSONWriter.object { body in
                if let keyText { body.member("licenseKey", keyText) }
                body.license(license, at: now)
            }
        }
        let once = try await failing { () async throws(ServerError) in
            try await ActOnLicense(catalog: catalog, clock: clock).once(
                try call.repeatable(), act, on: id, of: call.tenant, by: call.actor
            ) { outcome in if case .done(let license, _) = outcome { write(license) } else { nil } }
        }
        return try Self.answer(once, status: 200) { outcome throws(AdminFailure) in
            switch outcome {
            case .done(let license, _): return write(license)
            case .refused(let refusal): throw AdminFailure(refusal)
            case .unknownPolicy(let policy): throw .unprocessable("policy", "the product has no policy \(policy)")
            }
        }
    }

    func release(_ call: Call) async throws(AdminFailure) -> Response {
        guard let id = call.path["activation"].flatMap({ ActivationID(text: $0) }) else { throw .notFound }
        let released = try await failing { () async throws(ServerError) in
            try await DeactivateLicense(catalog: catalog, clock: clock)(id, ofTenant: call.tenant, by: call.actor)
        }
        guard let released else { throw .notFound }
        return .json(
            JSONWriter.object { body in
                body.member("activation", id.description)
                body.member("released", true)
                body.member("changed", released)
            })
    }

    /// The act that a body asks for; of a new key also its text.
    private func act(_ verb: LicenseVerb, _ call: Call) async throws(AdminFailure) -> (OperatorAct, keyText: String?) {
        switch verb {
        case .suspend, .reinstate, .revoke, .giveBack:
            _ = try AdminBody(call.request, knowing: [])
            let act: OperatorAct =
                switch verb {
                case .suspend: .suspend
                case .reinstate: .reinstate
                case .revoke: .revoke
                case .giveBack, .renew, .change, .rekey: .giveBack
                }
            return (act, nil)
        case .renew:
            let body = try AdminBody(call.request, knowing: ["days", "until"])
            let days = try body.integer("days", in: 1...36_500)
            let until = try body.moment("until")
            if days != nil, until != nil { throw .unprocessable("days", "give days or until, not both") }
            return (.renew(days.map { .days($0) } ?? until.map { .until($0) } ?? .policy), nil)
        case .change:
            let body = try AdminBody(call.request, knowing: ["policy", "holder", "expiresAt"])
            return (
                .change(
                    LicenseEdit(
                        policy: try body.slug("policy"), holder: try body.clearableText("holder"),
                        end: try body.end("expiresAt"))), nil
            )
        case .rekey:
            _ = try AdminBody(call.request, knowing: [])
            let minted = try await mint(for: try await license(call))
            return (.rekey(minted.key), minted.text)
        }
    }

    private func mint(for license: License) async throws(AdminFailure) -> (key: LicenseKey, text: String) {
        let minted = try await failing { () async throws(ServerError) in
            try await catalog.refreshIfChanged().mintKey(for: license.product, randomness)
        }
        guard let minted else { throw .notFound }
        return minted
    }

    private static func json(_ issued: [IssueLicenses.Issued], at now: Timestamp) -> [UInt8] {
        JSONWriter.object { body in
            body.array("licenses") { list in
                for one in issued {
                    list.object { entry in
                        entry.member("licenseKey", one.keyText)
                        entry.license(one.license, at: now)
                    }
                }
            }
        }
    }

    private static func answer<Outcome>(
        _ once: Once<Outcome>, status: Int, _ write: (Outcome) throws(AdminFailure) -> [UInt8]
    ) throws(AdminFailure) -> Response {
        switch once {
        case .done(let outcome): return .json(status: status, try write(outcome))
        case .repeated(let bytes):
            var response = Response.json(status: status, bytes)
            response.headers.add("Idempotent-Replayed", "true")
            return response
        case .keyReused:
            throw AdminFailure(
                422, "The idempotency key was used before", code: "idempotency_key_reused",
                detail: "Another request was sent with this Idempotency-Key within a day. Choose a new key.")
        }
    }
}
