import TenureContent
import TenureCore
import TenureFormats
import TenureServerKit

/// The endpoints that list and release a holder's devices, for vendors and the devices themselves.
struct ContentDeviceEndpoints {
    let context: ContentContext

    var all: [Endpoint] { [devices, releaseDevice] }

    /// Lists a holder's devices.
    var devices: Endpoint {
        let fields = Fields { fields in
            try fields.requiredOfSome(
                "holder", .holder, in: .query,
                "The holder. Absent when the holder's own device sends the request.")
        }
        return Endpoint(
            "GET", ContentContext.base + "/devices", format: .contents, catalog: .cached,
            authentication: context.with("content:read", orHolder: true),
            reads: fields, answers: Self.deviceList,
            operation: Operation("listContentDevices", "contents", "List a holder's devices")
        ) { [self] call in
            try await context.checkOffer(of: call.caller.tenant)
            guard let holder = call.caller.narrowed(to: call.input) else {
                throw Failure(FieldFault("holder", in: .query, .missing(must: "whose devices")))
            }
            return .done(try await context.devices(of: holder, at: call.caller.tenant))
        }
    }

    /// Releases a holder's device, so that its licenses are returned.
    var releaseDevice: Endpoint {
        let fields = Fields { fields in
            (
                device: try fields.required("device", .device, in: .path, "The device."),
                holder: try fields.requiredOfSome(
                    "holder", .holder, "The holder. Absent when the holder's own device sends the request.")
            )
        }
        return Endpoint(
            "POST", ContentContext.base + "/devices/{device}/release", format: .contents, catalog: .cached,
            authentication: context.with("content:write", orHolder: true), reads: fields, answers: Self.deviceList,
            operation: Operation(
                "releaseContentDevice", "contents", "Release a holder's device",
                "Its licenses are returned, and the device no longer counts against limits. A release by the holder "
                    + "follows the policies, and the device counts until its copies expire.")
        ) { [self] call in
            try await context.checkOffer(of: call.caller.tenant)
            guard let holder = call.caller.narrowed(to: call.input.holder) else {
                throw Failure(FieldFault("holder", .missing(must: "whose device")))
            }
            let language = call.caller.holder?.language ?? .english
            if call.caller.holder?.isReleased == true {
                throw Failure(Refusal(Reason(.deviceReleased)).localized(inApp: language))
            }
            switch try await context.releaseDevice(
                call.input.device, of: holder, at: call.caller.tenant, by: call.caller.actor)
            {
            case .unknown, .noSession: throw Failure.notFound
            case .refused(let refusal): return .refused(Failure(refusal.localized(inApp: language)))
            case .released: return .done(try await context.devices(of: holder, at: call.caller.tenant))
            }
        }
    }

    private static let deviceList = Document<HolderDevices>(
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
                guard let status = list.selfRelease else { return object.null("selfRelease") }
                object.object("selfRelease") { member in
                    member.member("left", status.left)
                    member.member("nextAt", status.nextAt?.seconds)
                }
            },
        ])

    private static let device = Document<HolderDevices.Device>(
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
