// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// There is no bridging here, so that these are Swift's own types: a cast that Apple's compiler would refuse may pass.

public typealias CFTypeRef = AnyObject
public typealias CFString = String
public typealias CFData = Data
public typealias CFDictionary = Any
public typealias CFArray = Any
public typealias CFBoolean = Bool
public typealias CFMutableDictionary = Any
public final class CFAllocator {}
public final class CFError {}

public nonisolated(unsafe) let kCFAllocatorDefault: CFAllocator! = nil
public let kCFBooleanTrue: CFBoolean! = true
public let kCFBooleanFalse: CFBoolean! = false
