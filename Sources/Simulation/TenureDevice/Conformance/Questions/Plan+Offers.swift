import TenureCore
import TenureFormats
import TenureHTTP
import TenureHTTPClient

extension SeenMarketplace {
    /// The item id of an app that no marketplace has; Apple's ids aren't that large.
    static let unknownItem: UInt64 = 9_007_199_254_740_997
    /// A version id above all real ones, for a device that needs no update.
    static let newestVersion: UInt64 = UInt64(Int64.max) - 1

    /// A body that isn't JSON, as a broken proxy or an attacker may send it.
    static let notJSON = Array("apps=5&platform=iOS".utf8)

    /// Plans a restore or updates request.
    func offer(_ question: ConformanceQuestion) -> QuestionPlan {
        guard let places else { return .skip("the configuration can't be read") }
        let isRestore = question.rawValue.hasPrefix("restore")
        let url = isRestore ? places.restore : places.updates
        let unknown = (Self.unknownItem, UInt64(1))
        func request(
            _ apps: [(UInt64, UInt64)], system: String = "26.0", headers: Headers? = nil
        ) -> QuestionPlan {
            .send(.post(url, json: Self.question(apps, system: system), headers: headers ?? bearer))
        }
        switch question {
        case .restoreNothing: return request([])
        case .restoreNotJSON: return .send(.post(url, json: Self.notJSON, headers: bearer))
        case .restoreUnknown, .updatesUnknown: return request([unknown])
        case .restoreWithBadToken: return request([unknown], headers: ["Authorization": "Bearer \(draw.nothing)"])
        case .restoreWithoutToken, .updatesWithoutToken:
            return options.token == nil ? .skip("no --token-file was given") : request([unknown], headers: [:])
        default: break
        }
        guard let item = options.item?.number else { return .skip("no --item was given") }
        if question == .updatesFromNothing { return request([(item, 0)]) }
        guard let version = version?.number else {
            return .skip("no version of the app is known; none is offered and no --version was given")
        }
        switch question {
        case .restoreNeighbours: return request([(item, version), unknown])
        case .restoreOtherVersion: return request([(item, 1)])
        case .restoreOldSystem: return request([(item, version)], system: "1.0")
        case .updatesOldSystem: return request([(item, 0)], system: "1.0")
        case .updatesFromSame: return request([(item, newestVersion?.number ?? version)])
        case .updatesFromNewer: return request([(item, Self.newestVersion)])
        default: return request([(item, version)])
        }
    }

    private static func question(_ apps: [(UInt64, UInt64)], system: String) -> [UInt8] {
        JSONWriter.object { body in
            body.array("apps") { list in
                for (item, version) in apps {
                    list.object { app in
                        app.member("appleItemId", String(item))
                        app.member("appleVersionId", String(version))
                    }
                }
            }
            body.member("platform", "iOS")
            body.member("osVersion", system)
        }
    }
}
