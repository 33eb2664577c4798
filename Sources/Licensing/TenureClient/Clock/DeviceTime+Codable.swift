package import TenureCore

extension DeviceTime: Codable {
    /// The stored names; never change them.
    private enum CodingKeys: String, CodingKey {
        case time = "time"
        case original = "original"
        case ran = "ran"
    }

    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            try members.decode(Moment.self, forKey: .time).timestamp,
            original: try members.decodeIfPresent(Moment.self, forKey: .original)?.timestamp,
            ran: try members.decodeIfPresent(Int64.self, forKey: .ran))
    }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(Moment(time), forKey: .time)
        try members.encodeIfPresent(original.map(Moment.init), forKey: .original)
        try members.encodeIfPresent(ran, forKey: .ran)
    }
}
