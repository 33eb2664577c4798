import TenureCore
import TenureFormats
import TenureHTTP
import TenureStore

extension AdminDialect {
    func list(_ call: Call) async throws(AdminFailure) -> Response {
        let now = clock.now()
        var filter = LicenseFilter(tenant: call.tenant, now: now)
        filter.product = try call.slug("product")
        filter.policy = try call.slug("policy")
        filter.holder = call.query["holder"]
        if let text = call.query["state"] {
            guard let state = License.State(rawValue: text) else {
                throw .unprocessable(
                    "state", "must be one of \(License.State.allCases.map(\.rawValue).joined(separator: ", "))")
            }
            filter.state = state
        }
        let cursor = try call.cursor { LicenseID(text: $0) }
        let limit = try call.limit()
        let chosen = filter
        let licenses = try await failing { () async throws(ServerError) in
            try await asking { () async throws(StoreError) in
                try await store.licenses(chosen, after: cursor, limit: limit)
            }
        }
        return .json(
            JSONWriter.object { body in
                body.array("licenses") { list in
                    for license in licenses { list.object { $0.license(license, at: now) } }
                }
                body.member("next", licenses.count == limit ? licenses.last?.id.description : nil)
            })
    }

    func find(_ call: Call) async throws(AdminFailure) -> Response {
        let body = try AdminBody(call.request, knowing: ["licenseKey"])
        let key = try body.requiredText("licenseKey")
        let licenses = try await failing { () async throws(ServerError) in
            try await FindLicense(store: store)(key, tenant: call.tenant)
        }
        let now = clock.now()
        return .json(
            JSONWriter.object { body in
                body.array("licenses") { list in
                    for license in licenses { list.object { $0.license(license, at: now) } }
                }
            })
    }

    func show(_ call: Call) async throws(AdminFailure) -> Response {
        let license = try await license(call)
        return .json(JSONWriter.object { $0.license(license, at: clock.now()) })
    }

    func explain(_ call: Call) async throws(AdminFailure) -> Response {
        let license = try await license(call)
        let explanation = try await failing { () async throws(ServerError) in
            try await ExplainLicense(store: store, catalog: catalog, clock: clock)(license)
        }
        return .json(
            JSONWriter.object { body in
                body.member("license", license.id.description)
                body.explanation(explanation)
            })
    }

    func activations(_ call: Call) async throws(AdminFailure) -> Response {
        let license = try await license(call)
        let all: Bool
        switch call.query["released"] {
        case nil, "false": all = false
        case "true": all = true
        default: throw .unprocessable("released", "must be true or false")
        }
        let activations = try await failing { () async throws(ServerError) in
            try await asking { () async throws(StoreError) in
                try await store.activations(of: license.id, includingReleased: all)
            }
        }
        return .json(
            JSONWriter.object { body in
                body.array("activations") { list in
                    for activation in activations { list.object { $0.activation(activation) } }
                }
            })
    }

    func events(_ call: Call) async throws(AdminFailure) -> Response {
        let cursor = try call.cursor { Int64($0).flatMap { $0 >= 0 ? $0 : nil } } ?? 0
        var filter = EventFilter(tenant: call.tenant)
        if let text = call.query["license"] {
            guard let id = LicenseID(text: text) else { throw .unprocessable("license", "must be a license id") }
            filter.license = id
        }
        let limit = try call.limit()
        let chosen = filter
        let events = try await failing { () async throws(ServerError) in
            try await asking { () async throws(StoreError) in
                try await store.events(chosen, after: cursor, limit: limit)
            }
        }
        return .json(
            JSONWriter.object { body in
                body.array("events") { list in
                    for event in events { list.object { $0.event(event) } }
                }
                body.member("next", String(events.last?.sequence ?? cursor))
            })
    }

    /// The tenant's license that the path names; another tenant's is as unknown as none.
    func license(_ call: Call) async throws(AdminFailure) -> License {
        guard let id = call.path["license"].flatMap({ LicenseID(text: $0) }) else { throw .notFound }
        let found = try await failing { () async throws(ServerError) in
            try await asking { () async throws(StoreError) in
                try await store.licenses(matching: LicenseName(.id(id), tenant: call.tenant))
            }
        }
        guard let license = found.first else { throw .notFound }
        return license
    }
}
