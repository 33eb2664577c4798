import TenureClient
import TenureContent
import TenureCore
import TenureFormats
import TenureHTTP
import TenureHTTPClient

extension ContentService {
    /// How many pages of a list to request at most, in case a server's cursors never end.
    private static let mostPages = 1_000

    /// Lists all content that the holder may use, over all pages.
    package func contents(token: String) async -> ContentReply<[OfferedContent]> {
        var offered: [OfferedContent] = []
        var cursor: String?
        for _ in 0..<Self.mostPages {
            let query = cursor.map { "?cursor=\($0)" } ?? ""
            switch await send(get("contents\(query)", token), false) {
            case .unknown(let unreached): return .unknown(unreached)
            case .refused(let no): return .refused(no)
            case .success(let object):
                guard let page = object.objects("contents").value else { return .unknown(.notThisServer) }
                offered += page.compactMap(OfferedContent.init(reading:))
                guard let next = object.string("cursor").value else { return .success(offered) }
                guard next != cursor, next.utf8.allSatisfy(Self.isUnreserved) else { return .unknown(.notThisServer) }
                cursor = next
            }
        }
        return .unknown(.notThisServer)
    }

    /// Requests the list of the holder's devices.
    package func devices(token: String) async -> ContentReply<[ListedDevice]> {
        await listed(get("devices", token))
    }

    /// Releases one of the holder's devices and returns the remaining ones.
    package func release(_ device: String, token: String) async -> ContentReply<[ListedDevice]> {
        await listed(post("devices/\(device)/release", JSONWriter.object { _ in }, token))
    }

    private func listed(_ request: OutgoingRequest) async -> ContentReply<[ListedDevice]> {
        await send(request, false).then {
            .success(($0.objects("devices").value ?? []).compactMap(ListedDevice.init(reading:)))
        }
    }

    private func get(_ path: String, _ token: String) -> OutgoingRequest {
        .get(url(path), headers: ["Authorization": "Bearer \(token)", "Accept-Language": Self.languages])
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x3D, 0x5F, 0x7E: true
        default: false
        }
    }
}

extension OfferedContent {
    fileprivate init?(reading object: FlatObject) {
        guard let content = object.string("content").value.flatMap({ ContentID($0) }) else { return nil }
        self.init(
            content: content, title: ToldReason.cleaned(object.string("title").value) ?? content.text,
            course: ToldReason.cleaned(object.string("course").value), reasons: ToldReason.reasons(in: object))
    }
}

extension ListedDevice {
    fileprivate init?(reading object: FlatObject) {
        guard let device = object.string("device").value, DeviceHash(device) != nil else { return nil }
        self.init(
            device: device, name: ToldReason.cleaned(object.string("name").value) ?? "",
            lastSeenAt: object.integer("lastSeenAt").value.map(Timestamp.init(seconds:)),
            contents: object.strings("contents").value ?? [])
    }
}
