extension OrderFact { package var json: [UInt8] { [] }; package init?(json: [UInt8]) { return nil } }
