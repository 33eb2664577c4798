import TenureContent
import TenureCore
import TenureFormats
import TenureServerKit
import TenureStore

/// The endpoints for holders' credentials and devices.
extension ContentDialect {
    /// Creates a token for a holder's device.
    var makeToken: Endpoint {
        let fields = Fields { fields in
            (
                holder: try fields.required("holder", .holder, "Whose."),
                device: try fields.required("device", .device, "The device's id, a digest."),
                name: try fields.optional("name", .line(1...128), "The device's display name."),
                hours: try fields.optional("hours", .integer(1...87_600), else: HolderTokenText.hours, "How long.")
            )
        }
        let document = Document<(text: String, expiresAt: Timestamp)>(
            nil,
            [
                .text("token", "Shown once.") { $0.text },
                .integer("expiresAt", "When it expires.") { $0.expiresAt.seconds },
            ])
        return Endpoint(
            "POST", Self.base + "/holders/token", .contents, .kept, admits: with("content:token"), reads: fields,
            answers: document, status: 201,
            operation: Operation(
                "makeHolderToken", "contents", "Create a token for a holder's device",
                "The device sends it in every request. It is replaced automatically while the device has a license.",
                yes: "Created. The token is shown only this once.")
        ) { [self] call in
            let input = call.input
            try await checkOffer(of: call.place.tenant)
            return .done(
                try await HolderTokens(store: store, clock: clock).make(
                    for: input.holder, on: input.device, of: call.place.tenant, named: input.name,
                    hours: input.hours))
        }
    }

    /// Ends the credentials of a holder, or of one of the holder's devices.
    var endHolder: Endpoint {
        let fields = Fields { fields in
            (
                holder: try fields.required("holder", .holder, "Whose."),
                device: try fields.optional("device", .device, "Only this device's tokens.")
            )
        }
        return Endpoint(
            "POST", Self.base + "/holders/end", .contents, .kept, admits: with("content:token"), reads: fields,
            answers: Document<Int>(nil, [.integer("ended", "How many of them were valid until now.") { Int64($0) }]),
            operation: Operation(
                "endHolderTokens", "contents", "End a holder's tokens, links and sessions",
                "For a lost device. Licenses stay; release the device to return them.")
        ) { [self] call in
            .done(
                try await HolderTokens(store: store, clock: clock).end(
                    call.input.holder, on: call.input.device, of: call.place.tenant))
        }
    }

    /// Creates a one-time link to a holder's page.
    var makeLink: Endpoint {
        let fields = Fields { fields in
            (
                holder: try fields.required("holder", .holder, "Whose."),
                hours: try fields.optional(
                    "hours", .integer(1...LearnerSessions.mostHours), else: LearnerSessions.hours,
                    "When it expires, whether used or not.")
            )
        }
        let document = Document<LearnerSessions.Link>(
            nil,
            [
                .text("path", "The path on this server. It is shown only this once.") { $0.path },
                .integer("expiresAt", "When it expires.") { $0.expiresAt.seconds },
            ])
        return Endpoint(
            "POST", Self.base + "/holders/link", .contents, .kept, admits: with("content:token"), reads: fields,
            answers: document, status: 201,
            operation: Operation(
                "makeHolderLink", "contents", "Create a one-time link to a holder's page",
                "The page shows courses, content and devices, and lets the holder release a device if the policies "
                    + "allow it. Anyone with the link acts as the holder.",
                yes: "Created. The path is shown only this once.")
        ) { [self] call in
            try await checkOffer(of: call.place.tenant)
            return .done(
                try await LearnerSessions(store: store, clock: clock).makeLink(
                    for: call.input.holder, of: call.place.tenant, hours: call.input.hours, by: call.place.actor))
        }
    }

    /// Lists a holder's devices.
    var devices: Endpoint {
        let fields = Fields { fields in
            try fields.requiredOfSome(
                "holder", .holder, in: .query, "The holder. Absent when the holder's own device sends the request.")
        }
        return Endpoint(
            "GET", Self.base + "/devices", .contents, .kept, admits: with("content:read", orHolder: true),
            reads: fields, answers: Self.deviceList,
            operation: Operation("listContentDevices", "contents", "List a holder's devices")
        ) { [self] call in
            try await checkOffer(of: call.place.tenant)
            guard let holder = call.place.narrowed(to: call.input) else {
                throw Failure(FieldFault("holder", in: .query, .missing(must: "whose devices")))
            }
            return .done(try await ContentDevices(catalog: catalog, clock: clock)(of: holder, at: call.place.tenant))
        }
    }

    /// Releases a holder's device.
    var releaseDevice: Endpoint {
        let fields = Fields { fields in
            (
                device: try fields.required("device", .device, in: .path, "The device."),
                holder: try fields.requiredOfSome(
                    "holder", .holder, "The holder. Absent when the holder's own device sends the request.")
            )
        }
        return Endpoint(
            "POST", Self.base + "/devices/{device}/release", .contents, .kept,
            admits: with("content:write", orHolder: true), reads: fields, answers: Self.deviceList,
            operation: Operation(
                "releaseContentDevice", "contents", "Release a holder's device",
                "Its licenses are returned, and the device no longer counts against limits. A release by the holder "
                    + "follows the policies, and the device counts until its copies expire.")
        ) { [self] call in
            try await checkOffer(of: call.place.tenant)
            guard let holder = call.place.narrowed(to: call.input.holder) else {
                throw Failure(FieldFault("holder", .missing(must: "whose device")))
            }
            let language = call.place.holder?.language ?? .english
            if call.place.holder?.isReleased == true {
                throw Failure(Refusal(Reason(.deviceReleased)).told(inApp: language))
            }
            let use = ContentDevices(catalog: catalog, clock: clock)
            switch try await use.release(
                call.input.device, of: holder, at: call.place.tenant, by: call.place.actor)
            {
            case .unknown, .noSession: throw Failure.notFound
            case .refused(let refusal): return .refused(Failure(refusal.told(inApp: language)))
            case .released: return .done(try await use(of: holder, at: call.place.tenant))
            }
        }
    }

    private static let deviceList = Document<ContentDevices.List>(
        "ContentDevices",
        [
            .list("devices", of: device, "The devices, most recently seen first.") { $0.devices },
            .init(
                "selfRelease",
                Schema.object(
                    [("left", .integer()), ("nextAt", Schema.integer().orNull)], required: ["left", "nextAt"]
                )
                .orNull, "How many devices the holder may release; null if none."
            ) { list, object in
                guard let standing = list.selfRelease else { return object.null("selfRelease") }
                object.object("selfRelease") { member in
                    member.member("left", standing.left)
                    member.member("nextAt", standing.nextAt?.seconds)
                }
            },
        ])

    private static let device = Document<ContentDevices.Listed>(
        nil,
        [
            .text("device", "Its digest.") { Hex.encode($0.device.bytes) },
            .textOrNull("name", "The display name.") { $0.name },
            .integer("lastSeenAt", "When it last sent a request, to the hour.") { $0.lastSeenAt.seconds },
            .init("contents", .list(of: .text()), "The content stored on it.") { device, object in
                object.member("contents", device.contents.map(\.text))
            },
        ])
}
